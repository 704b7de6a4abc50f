// One ad for each seat. A seat asks where the job would run before it accepts the job.
[
    Type   = "Licence"; Name = "aero3d-seat-1"; Program = "aero3d"; ValidOn = { "plover" };
    Ports  = { [ Label = requester; Constraint = requester.Type == "Job" && member(requester.RunsOn, ValidOn) ] };
]
[
    Type   = "Licence"; Name = "aero3d-seat-2"; Program = "aero3d"; ValidOn = { "plover", "snipe" };
    Ports  = { [ Label = requester; Constraint = requester.Type == "Job" && member(requester.RunsOn, ValidOn) ] };
]
[
    Type   = "Licence"; Name = "gridgen-seat-1"; Program = "gridgen"; ValidOn = { "heron", "plover", "snipe" };
    Ports  = { [ Label = requester; Constraint = requester.Type == "Job" && member(requester.RunsOn, ValidOn) ] };
]
