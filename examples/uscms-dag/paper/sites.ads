MyType = "Machine"
TargetType = "Job"
Name = "uw-hep-USCMS-Site"
Rank = 0.000000
CurMatches = 0
MaxMatches = 2
Requirements = (CurMatches < MaxMatches) && (TARGET.WANT_USCMS_MATCHMAKER =?= TRUE)
Is_USCMS_Site = True
MatchmakerURL = "ramen.example.org:/jobmanager-condor"
SiteEnvironment = "SiteGatekeeperURL=https://dill.example.org;SiteVDTLocation=/dpe;SiteWorkingArea=/scratch/work;SiteExportDir=/scratch/export"

MyType = "Machine"
TargetType = "Job"
Name = "fnal-USCMS-Site"
Rank = 0.000000
CurMatches = 0
MaxMatches = 1
Requirements = (CurMatches < MaxMatches) && (TARGET.WANT_USCMS_MATCHMAKER =?= TRUE)
Is_USCMS_Site = True
MatchmakerURL = "noodle.example.org:/jobmanager-condor"
SiteEnvironment = "SiteGatekeeperURL=https://soup.example.org;SiteVDTLocation=/vdt;SiteWorkingArea=/data/work;SiteExportDir=/data/export"
