// Each docks with one job and does not work for visitors.
[
    Type   = "Workstation"; Name = "heron"; Memory = 16000; Gigaflops = 90;
    Ports  = { [ Label = requester; Constraint = requester.Type == "Job" && requester.Owner != "visitor" ] };
]
[
    Type   = "Workstation"; Name = "plover"; Memory = 8000; Gigaflops = 40;
    Ports  = { [ Label = requester; Constraint = requester.Type == "Job" && requester.Owner != "visitor" ] };
]
[
    Type   = "Workstation"; Name = "snipe"; Memory = 2000; Gigaflops = 25;
    Ports  = { [ Label = requester; Constraint = requester.Type == "Job" && requester.Owner != "visitor" ] };
]
