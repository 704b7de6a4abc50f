Name = "heron"
Cores = 64
Tariff = "night"
Requirements = Hours <= 12

Name = "plover"
Cores = 16
Tariff = "flat"
Requirements = true

Name = "snipe"
Cores = 96
Tariff = "flat"
Requirements = Owner != "visitor"
