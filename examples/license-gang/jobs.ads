// Three jobs, in the order of their priority. Each needs a workstation and a seat of a licence that is valid there.
[
    Type    = "Job";
    Name    = "flow-17";
    Owner   = "ines";
    Program = "aero3d";
    Ports   = {
        [ Label = node; Megabytes = 6000; Rank = node.Gigaflops;
          Constraint = node.Type == "Workstation" && node.Memory >= Megabytes ],
        [ Label = seat; RunsOn = node.Name;
          Constraint = seat.Type == "Licence" && seat.Program == Program ]
    };
]
[
    Type    = "Job";
    Name    = "flow-18";
    Owner   = "ines";
    Program = "aero3d";
    Ports   = {
        [ Label = node; Megabytes = 1500; Rank = node.Gigaflops;
          Constraint = node.Type == "Workstation" && node.Memory >= Megabytes ],
        [ Label = seat; RunsOn = node.Name;
          Constraint = seat.Type == "Licence" && seat.Program == Program ]
    };
]
[
    Type    = "Job";
    Name    = "mesh-3";
    Owner   = "visitor";
    Program = "gridgen";
    Ports   = {
        [ Label = node; Megabytes = 500; Rank = node.Gigaflops;
          Constraint = node.Type == "Workstation" && node.Memory >= Megabytes ],
        [ Label = seat; RunsOn = node.Name;
          Constraint = seat.Type == "Licence" && seat.Program == Program ]
    };
]
