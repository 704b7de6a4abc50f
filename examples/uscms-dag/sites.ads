MyType = "Machine"
Name = "alder"
HasSimulation = True
CoreMemory = 2000
CurMatches = 3
MaxMatches = 4
Requirements = CurMatches < MaxMatches && TARGET.WANT_USCMS_MATCHMAKER =?= True
SiteEnvironment = "SiteScratch=/scratch/prod;SiteSoftware=/opt/sim/7.2;SiteStorage=/pool/alder"

MyType = "Machine"
Name = "birch"
HasSimulation = True
CoreMemory = 4000
CurMatches = 1
MaxMatches = 3
Requirements = CurMatches < MaxMatches && TARGET.WANT_USCMS_MATCHMAKER =?= True
SiteEnvironment = "SiteScratch=/wn/tmp;SiteSoftware=/sw/simulation;SiteStorage=/data/birch;SiteSpool=/wn/spool"
