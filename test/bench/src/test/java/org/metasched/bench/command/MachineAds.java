package org.metasched.bench.command;

import java.util.Locale;

/**
 * Ads of about 150 attributes like those of HTCondor's machines: policy expressions that lead to one another, slots, GPUs, versions,
 * counters, and names that an administrator gave. The number of an ad tells it apart in most values, and, if asked for, in names.
 */
final class MachineAds {

    private static final String[] SYSTEMS = {"AlmaLinux9", "AlmaLinux8", "Rocky9", "Debian12", "Ubuntu22", "CentOS7"};
    private static final String[] FAMILIES = {"AMD EPYC 7%d3", "Intel(R) Xeon(R) Gold 6%d8", "AMD EPYC 9%d4"};

    private final int number;
    private final boolean customNames;
    private final SplitMix64 random;
    private final StringBuilder text = new StringBuilder("[ ");

    private MachineAds(int number, boolean customNames) {
        this.number = number;
        this.customNames = customNames;
        this.random = new SplitMix64(number);
    }

    /** The machine of a number, on one line. */
    static String machine(int number, boolean customNames) {
        return new MachineAds(number, customNames).written();
    }

    /** A request that some of the machines may serve. */
    static String job(int number) {
        return """
                [ MyType = "Job"; Owner = "u%1$d"; AcctGroup = "group%2$d"; RequestCpus = %3$d; RequestMemory = %4$d; RequestDisk = %5$d;
                  JobPrio = %2$d; WantGPU = %6$b; ImageSize = %5$d; Rank = TARGET.Mips + TARGET.KFlops %% (%1$d + 977);
                  Requirements = TARGET.Arch == "X86_64" && TARGET.OpSys == "LINUX" && TARGET.Memory >= RequestMemory
                    && TARGET.Cpus >= RequestCpus && TARGET.Disk >= RequestDisk && (!WantGPU || TARGET.GPUs > 0)
                    && TARGET.KFlops %% 5 != %7$d && versionGE(substr(TARGET.CondorVersion, 16, 6), "23.1.0") ]""".formatted(
                        number,
                        number % 7,
                        1 + number % 4,
                        500 + number * 13,
                        10_000 + number * 101,
                        number % 5 == 0,
                        number % 5);
    }

    private String written() {
        identity();
        policy();
        graphics();
        counters();
        custom();
        return text.append("]").toString();
    }

    private void put(String name, String format, Object... values) {
        text.append(name)
                .append(" = ")
                .append(String.format(Locale.ROOT, format, values))
                .append("; ");
    }

    private int below(int bound) {
        return random.below(bound);
    }

    private void identity() {
        int slot = 1 + number % 8;
        String machine = "node%05d.site%02d.example.org".formatted(number / 8, number % 61);
        put("MyType", "\"Machine\"");
        put("Name", "\"slot1_%d@%s\"", slot, machine);
        put("Machine", "\"%s\"", machine);
        put("SlotID", "%d", slot);
        put("SlotType", "\"Dynamic\"");
        put("SlotWeight", "Cpus");
        put("PartitionableSlot", "false");
        put(
                "MyAddress",
                "\"<10.%d.%d.%d:9618?addrs=10.1.1.1-9618&noUDP&sock=startd_%d_%04x>\"",
                number >> 16 & 255,
                number >> 8 & 255,
                number & 255,
                1000 + number,
                below(65_536));
        put("Arch", "\"X86_64\"");
        put("OpSys", "\"LINUX\"");
        String system = SYSTEMS[below(SYSTEMS.length)];
        put("OpSysAndVer", "\"%s\"", system);
        put("OpSysLongName", "\"%s release %d.%d\"", system, 7 + below(3), below(9));
        put("CpuModel", "\"" + FAMILIES[below(FAMILIES.length)] + "\"", below(10));
        put(
                "CondorVersion",
                "\"$CondorVersion: 23.%d.%d 2024-0%d-11 BuildID: %d $\"",
                below(10),
                below(9),
                1 + below(9),
                number);
        put("Cpus", "%d", 1 + below(16));
        put("Memory", "%d", 1_000 + below(64_000));
        put("Disk", "%d", 100_000 + below(90_000_000));
        put("KFlops", "%d", 1_000_000 + below(3_000_000));
        put("Mips", "%d", 10_000 + below(30_000));
        put("LoadAvg", "%.6f", below(1_000_000) / 1e6);
        put("KeyboardIdle", "%d", below(1_000_000));
        put("State", "\"Unclaimed\"");
        put("Activity", "\"Idle\"");
        put("EnteredCurrentState", "%d", 1_700_000_000 + below(9_000_000));
    }

    private void policy() {
        put("IsOwner", "LoadAvg - CondorLoadAvg > 0.%d", 3 + below(6));
        put("CondorLoadAvg", "%.4f", below(10_000) / 1e4);
        put("CPUBusy", "((LoadAvg - CondorLoadAvg) >= 0.%d)", 5 + below(5));
        put("KeyboardBusy", "(KeyboardIdle < %d)", 60 + below(600));
        put("MachineBusy", "(CPUBusy || KeyboardBusy && SlotID == %d)", 9 + below(4));
        put(
                "WithinResourceLimits",
                "(MY.Memory >= (TARGET.RequestMemory ?: 1) && MY.Cpus >= (TARGET.RequestCpus ?: 1) && MY.Disk >= (TARGET.RequestDisk ?: 1))");
        put("START", "!MachineBusy && (TARGET.Owner isnt undefined) && TARGET.ImageSize < MY.Disk + %d", number);
        put("SUSPEND", "(MachineBusy && TotalTimeClaimedBusy > %d)", below(900));
        put("CONTINUE", "(CPUBusy == false && KeyboardIdle > %d)", below(300));
        put(
                "PREEMPT",
                "(Activity == \"Suspended\" && TotalTimeClaimedSuspended > %d || Memory < %d)",
                below(600),
                below(900));
        put("KILL", "(Activity == \"Vacating\" && EnteredCurrentState + %d < CurrentTime)", 600 + below(600));
        put("MaxJobRetirementTime", "ifThenElse(TARGET.WantGPU is true, %d, %d)", 3_600 + number, below(86_400));
        put("RankOfGroup", "TARGET.AcctGroup == \"group%d\" ? %d : 0", below(7), 10 + below(90));
        put("Rank", "RankOfGroup + (TARGET.JobPrio ?: 0) * %d", 1 + below(5));
        put(
                "Requirements",
                "(START) && (WithinResourceLimits) && (IsValidCheckpointPlatform) && TARGET.JobPrio != %d",
                100 + below(1_000));
        put("IsValidCheckpointPlatform", "(TARGET.JobUniverse isnt 1 || TARGET.LastCheckpointPlatform is undefined)");
    }

    private void graphics() {
        int count = below(3);
        put("GPUs", "%d", count);
        put("DetectedGPUs", "\"GPU-%08x, GPU-%08x\"", below(Integer.MAX_VALUE), below(Integer.MAX_VALUE));
        for (int gpu = 0; gpu < 2; gpu++) {
            put(
                    "GPUs_GPU_%08x".formatted(customNames ? number * 2 + gpu : gpu),
                    "[ DeviceName = \"NVIDIA A%d0\"; GlobalMemoryMb = %d; Capability = %d.%d; DeviceUuid = \"%08x\" ]",
                    1 + below(9),
                    8_000 + below(72_000),
                    5 + below(4),
                    below(9),
                    below(Integer.MAX_VALUE));
        }
        put("AvailableGPUs", "{ %s }", count == 0 ? "" : "GPUs_GPU_%08x".formatted(customNames ? number * 2 : 0));
    }

    private void counters() {
        for (String of : new String[] {
            "ClaimedBusy", "ClaimedIdle", "ClaimedRetiring", "ClaimedSuspended", "UnclaimedIdle", "Owner"
        }) {
            put("TotalTime" + of, "%d", below(10_000_000));
        }
        for (String of :
                new String[] {"JobStarts", "JobPreemptions", "Activations", "Collisions", "Updates", "Benchmarks"}) {
            for (String in : new String[] {"", "_1m", "_1h", "_1d"}) {
                put("Recent" + of + in, "%d", number + below(100_000));
            }
        }
        for (String of : new String[] {
            "HasFileTransfer", "HasReconnect", "HasTDP", "HasVM", "HasDocker", "HasSingularity", "HasMPI"
        }) {
            put(of, "%b", below(2) == 0);
        }
    }

    private void custom() {
        for (int k = 0; k < 62; k++) {
            String name = "%s_%s%d"
                    .formatted(
                            k % 3 == 0 ? "SITE" : k % 3 == 1 ? "CVMFS" : "Monitor",
                            customNames ? "n" + number + "_" : "",
                            k);
            switch (k % 4) {
                case 0 -> put(name, "\"rev-%d-%06x\"", number, below(1 << 24));
                case 1 -> put(name, "%d", number * 131L + k);
                case 2 -> put(name, "%.5f", below(1_000_000) / 1e3);
                default -> put(name, "time() - LastHeard_%d > %d", k, number);
            }
        }
    }
}
