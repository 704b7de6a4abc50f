package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.CliProcess.Ended;

/** DAGs as workflow tools write them, bound and run on the command line to their ends, with stand-ins for Slurm and the tools' programs. */
class WorkflowToolsIT {

    @TempDir
    private Path folder;

    private Path bin = Path.of("");

    @BeforeEach
    void standIn() throws IOException {
        bin = Files.createDirectory(folder.resolve("bin"));
        SlurmStandIn.install(bin);
        String ad = "Name = \"%s\"\nMaxMatches = 9\nRequirements = CurMatches < MaxMatches\n\n";
        write("site.ads", ad.formatted("slurm") + ad.formatted("other"));
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text.replace("@", folder.toString()));
    }

    private void program(String name, String text) throws IOException {
        Path file = write(name, "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void bind(String dag, String out) {
        ends(
                "dag",
                "bind",
                folder.resolve(dag).toString(),
                "--out",
                folder.resolve(out).toString());
    }

    private void ends(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--sites", folder + "/site.ads", "--ledger", folder + "/ledger"));
        Ended ended = CliProcess.here(all.toArray(String[]::new));
        assertThat(ended.exit()).as(ended.err()).isZero();
    }

    private void runs(String bound, String without) throws IOException {
        var words = new ArrayList<>(List.of("dag", "run", folder.resolve(bound).toString(), "--follow"));
        words.addAll(List.of("--poll", "1", "--sbatch", bin + "/sbatch", "--without", without));
        Ended run = CliProcess.here(words.toArray(String[]::new));
        assertThat(run.exit()).as(() -> run.err() + run.out() + logs(bound)).isZero();
    }

    private String logs(String bound) {
        var text = new StringBuilder();
        try (var files = Files.walk(folder.resolve(bound))) {
            for (Path file : files.filter(path -> path.toString().matches(".*\\.(log|err)"))
                    .toList()) {
                text.append(file).append(": ").append(Files.readString(file)).append('\n');
            }
        } catch (IOException e) {
            text.append(e);
        }
        return text.toString();
    }

    /** Planned where it is bound: its descriptions have absolute names, its scripts relative ones of the same files. */
    @Test
    void aPegasusWorkflow() throws Exception {
        pegasusPrograms();
        var nodes = new ArrayList<String>();
        nodes.add("MAXJOBS registration 1\nMAXJOBS stagein 10\nMAXJOBS cleanup 4\nMAXJOBS stageout 10\n");
        for (String[] job : new String[][] {
            {"create_dir_diamond_0_local", "", "800", "mkdir -p @/scratch/run0001"},
            {"stage_in_local_local_0_0", "stagein", "700", "cp @/input/f.a @/scratch/run0001/f.a"},
            {"stage_out_local_local_2_0", "stageout", "900", "cp @/scratch/run0001/f.d @/output/f.d"},
            {"register_local_2_0", "registration", "900", "cp @/output/f.d @/output/registered"},
            {"cleanup_diamond_0_local", "cleanup", "1000", "rm -r @/scratch/run0001"}
        }) {
            nodes.add(pegasus(job[0], job[1], Integer.parseInt(job[2]), local(job[0], job[3])));
        }
        for (String[] job : new String[][] {
            {"preprocess_ID0000001", "f.a", "f.b1,f.b2"},
            {"findrange_ID0000002", "f.b1", "f.c1"},
            {"findrange_ID0000003", "f.b2", "f.c2"},
            {"analyze_ID0000004", "f.c1,f.c2", "f.d"}
        }) {
            nodes.add(pegasus(job[0], "", 20, lite(job[0], job[1], job[2])));
        }
        nodes.add("""
                PARENT  create_dir_diamond_0_local CHILD stage_in_local_local_0_0
                PARENT  stage_in_local_local_0_0 CHILD preprocess_ID0000001
                PARENT  preprocess_ID0000001 CHILD findrange_ID0000002
                PARENT  preprocess_ID0000001 CHILD findrange_ID0000003
                PARENT  findrange_ID0000002 CHILD analyze_ID0000004
                PARENT  findrange_ID0000003 CHILD analyze_ID0000004
                PARENT  analyze_ID0000004 CHILD stage_out_local_local_2_0
                PARENT  stage_out_local_local_2_0 CHILD register_local_2_0
                PARENT  stage_out_local_local_2_0 CHILD cleanup_diamond_0_local
                """);
        write("submit/run0001/diamond-0.dag", String.join("\n", nodes));
        write("submit/run0001/pegasus-worker-5.0.5-x86_64_rhel_8.tar.gz", "programs");
        write("input/f.a", "a");
        Files.createDirectory(folder.resolve("output"));

        Files.move(folder.resolve("submit/run0001"), folder.resolve("submit/run0001.planned"));
        bind("submit/run0001.planned/diamond-0.dag", "submit/run0001");
        ends("dag", "rebind", folder.resolve("submit/run0001").toString());
        runs("submit/run0001", "priority,periodic_release,periodic_remove");

        assertThat(folder.resolve("output/f.d")).hasContent("a preprocess findrange a preprocess findrange analyze");
        assertThat(folder.resolve("output/registered")).exists();
        assertThat(folder.resolve("scratch/run0001")).doesNotExist();
        // The first try of one failed, and its output was put aside.
        Path outs = folder.resolve("submit/run0001/00/00");
        assertThat(outs.resolve("findrange_ID0000003.out.000")).exists();
        assertThat(outs.resolve("findrange_ID0000003.out.001")).content().contains("PegasusLite: exitcode 0");
        assertThat(outs.resolve("findrange_ID0000002.out.001")).doesNotExist();
        assertThat(Files.readAllLines(folder.resolve("submit/run0001/diamond-0.exitcode.log")))
                .hasSize(10);
    }

    private void pegasusPrograms() throws IOException {
        program("pegasus/bin/pegasus-exitcode", """
                message=
                while [ $# -gt 1 ]; do case $1 in
                  -r) returned=$2; shift 2 ;;
                  -s) message=$(echo "$2" | tr + ' '); shift 2 ;;
                  -l) log=$2; shift 2 ;;
                  -M) shift 2 ;;
                  *) exit 9 ;;
                esac; done
                out=$1 code=0
                [ "$returned" = 0 ] && [ -s "$out" ] && grep -q "$message" "$out" || code=1
                n=0; while [ -e "$out.00$n" ]; do n=$((n + 1)); done
                mv "$out" "$out.00$n"
                echo "$out $code" >> "$log"
                exit $code
                """);
        program("pegasus/share/pegasus-lite-local.sh", """
                [ "$1" = pegasus-kickstart ] || exit 9
                shift
                while [ $# -gt 0 ]; do case $1 in
                  -n|-N|-i|-R|-L|-T) shift 2 ;;
                  *) break ;;
                esac; done
                [ "$1" = pegasus-transfer ] && [ "$2 $3" = '--threads 2' ] || exit 9
                sh -e && echo '- invocation: True'
                """);
        program("submit/run0001/pegasus-lite-common.sh", """
                pegasus_lite_exit() { echo "PegasusLite: exitcode $?"; }
                trap pegasus_lite_exit EXIT
                """);
    }

    /** A node as the planner writes it, and its description. */
    private String pegasus(String name, String category, int priority, String job) throws IOException {
        write(
                "submit/run0001/00/00/" + name + ".sub",
                """
                ######################################################################
                # PEGASUS WMS GENERATED SUBMIT FILE
                # SUBMIT FILE NAME : NODE.sub
                ######################################################################
                stream_error  = false
                stream_output = false
                environment = "LANG=C CONDOR_JOBID=$(cluster).$(process) PEGASUS_DAG_JOB_ID=NODE PEGASUS_SITE=local"
                JOB
                error = @/submit/run0001//00/00/NODE.err
                log = @/submit/run0001/diamond-0.log
                notification = NEVER
                output = @/submit/run0001//00/00/NODE.out
                periodic_release = False
                periodic_remove = (JobStatus == 5) && ((CurrentTime - EnteredCurrentStatus) > 1800)
                priority = PRIORITY
                submit_event_user_notes = pool:local
                +WantIOProxy = True
                +pegasus_wf_name = "diamond-0"
                +pegasus_job_class = 1
                +pegasus_wf_dag_job_id = "NODE"
                +pegasus_cores = 1
                queue
                ######################################################################
                # END OF SUBMIT FILE
                ######################################################################
                """.replace("JOB\n", job).replace("PRIORITY", "" + priority).replace("NODE", name));
        String success = job.contains("universe = local") ? "" : "-s PegasusLite:+exitcode+0 ";
        return """
                JOB NODE 00/00/NODE.sub
                SCRIPT POST NODE @/pegasus/bin/pegasus-exitcode  -r $RETURN SUCCESS-l diamond-0.exitcode.log -M diamond-0.cache.meta   .//00/00/NODE.out
                PRIORITY NODE PRIO
                RETRY NODE 1
                CATEGORY NODE CLASS
                VARS NODE +DAGNodeRetry="$(RETRY)"
                """.replace("CATEGORY NODE CLASS\n", category.isEmpty() ? "" : "CATEGORY NODE " + category + "\n")
                .replace("SUCCESS", success)
                .replace("PRIO\n", priority + "\n")
                .replace("NODE", name);
    }

    /** A job of the planner's own, beside the runner: its program reads what is to be done. */
    private String local(String name, String commands) throws IOException {
        write("submit/run0001/00/00/" + name + ".in", commands + "\n");
        return """
                arguments = "pegasus-kickstart  -n pegasus::transfer -N null -i - -R local  -L diamond -T 2026-01-01T00:00:00 pegasus-transfer  --threads 2 "
                executable = @/pegasus/share/pegasus-lite-local.sh
                input = @/submit/run0001//00/00/%s.in
                transfer_executable = false
                universe = local
                """.formatted(name);
    }

    /** A job of the user in a directory of its own, to which its inputs are brought. */
    private String lite(String name, String inputs, String outputs) throws IOException {
        String word = name.replaceAll("_.*", "");
        program("submit/run0001/00/00/" + name + ".sh", """
                set -e
                . ./pegasus-lite-common.sh
                [ -s pegasus-worker-5.0.5-x86_64_rhel_8.tar.gz ]
                [ "$PEGASUS_DAG_JOB_ID" = NAME ]
                case NAME in *3) [ -e @/failed ] || { : > @/failed; exit 1; } ;; esac
                echo $(cat INPUTS) WORD | tee OUTPUTS > /dev/null
                """.replace("NAME", name)
                .replace("WORD", word)
                .replace("INPUTS", inputs.replace(",", " "))
                .replace("OUTPUTS", outputs.replace(",", " ")));
        return """
                executable = @/submit/run0001/00/00/%s.sh
                initialdir = @/scratch/run0001
                should_transfer_files = YES
                transfer_executable = true
                transfer_input_files = %s,@/submit/run0001/pegasus-worker-5.0.5-x86_64_rhel_8.tar.gz,@/submit/run0001/pegasus-lite-common.sh
                transfer_output_files = %s
                universe = vanilla
                when_to_transfer_output = ON_EXIT
                """.formatted(name, inputs, outputs);
    }

    /** The PRE script writes the description of each try; the POST script judges it, and waits once for the outputs to arrive. */
    @Test
    void aTaskOfCrab() throws Exception {
        program("task/dag_bootstrap.sh", """
                what=$1; shift
                case $what in
                  PREJOB)
                    [ $# = 5 ] && [ "$5" = conventional ] || exit 9
                    { cat Job.submit; echo "My.CRAB_Retry = $1"; echo "Environment = \\"SCRAM_ARCH=el9 CRAB_RETRY=$1\\""; echo Queue; } \\
                      > "Job.$2.submit" ;;
                  POSTJOB)
                    echo "$6: $1 $2 $3 $4 ${11}" >> post
                    [ $# = 11 ] && [ "${1#*.}" = 0 ] && [ "$4" = 2 ] && [ "$9" = "cmsRun_$6.log.tar.gz" ] || exit 2
                    [ "$2" = 0 ] || exit 1
                    [ "$6" = 2 ] || [ -e "waited.$6" ] || { : > "waited.$6"; exit 4; } ;;
                esac
                exit 0
                """);
        program("task/gWMS-CMSRunAnalysis.sh", """
                n=${1#--jobId=}
                [ "$n" = 2 ] && [ "$CRAB_RETRY" = 0 ] && exit 50115
                . ./submit_env.sh && sh ./CMSRunAnalysis.sh "$n" "$SCRAM_ARCH" > "jobReport.json.$n"
                """);
        write("task/CMSRunAnalysis.sh", "echo \"report of $1 on $2\"\n");
        for (String input : "cmscp.py CMSRunAnalysis.tar.gz sandbox.tar.gz input_args.json submit_env.sh".split(" ")) {
            write("task/" + input, "");
        }
        write("task/Job.submit", """
                My.CRAB_Reqname = "260105_080000:ann_crab_task"
                My.CRAB_SiteWhitelist = {"T2_A","T2_B"}
                My.CRAB_UserRole = undefined
                My.CRAB_Id = "$(count)"
                My.JOBGLIDEIN_CMSSite = "$$([ifThenElse(GLIDEIN_CMSSite is undefined, \\"Unknown\\", GLIDEIN_CMSSite)])"
                accounting_group = analysis
                accounting_group_user = ann
                job_ad_information_attrs = MATCH_EXP_JOBGLIDEIN_CMSSite, JOBGLIDEIN_CMSSite
                WhenToTransferOutput = ON_EXIT_OR_EVICT
                LeaveJobInQueue = ifThenElse((JobStatus=?=4 || JobStatus=?=3), true, false)
                universe = vanilla
                Executable = gWMS-CMSRunAnalysis.sh
                Output = job_out.$(count)
                Error = job_err.$(count)
                Log = job_log
                Arguments = "--jobId=$(count)"
                transfer_output_files = jobReport.json.$(count)
                transfer_input_files = CMSRunAnalysis.sh, cmscp.py, CMSRunAnalysis.tar.gz, sandbox.tar.gz, input_args.json, submit_env.sh
                coresize = 0
                should_transfer_files = YES
                use_x509userproxy = true
                Requirements = stringListMember(TARGET.Arch, REQUIRED_ARCH)
                periodic_release = (HoldReasonCode == 28) || (HoldReasonCode == 30)
                periodic_remove = (JobStatus =?= 5) && (time() - EnteredCurrentStatus > 7*60)
                My.PeriodicRemoveReason = ifThenElse(time() > 5, "Removed due to proxy expiration", "Removed")
                """);
        var dag = new StringBuilder("\nNODE_STATUS_FILE node_state 120 ALWAYS-UPDATE\n");
        for (int n = 1; n <= 3; n++) {
            dag.append("""

                    JOB JobN Job.N.submit
                    SCRIPT  PRE  JobN dag_bootstrap.sh PREJOB $RETRY N 260105_080000:ann_crab_task slurm conventional
                    SCRIPT DEFER 4 1 POST JobN dag_bootstrap.sh POSTJOB $JOBID $RETURN $RETRY $MAX_RETRIES 260105_080000:ann_crab_task N /store/temp /store/user cmsRun_N.log.tar.gz conventional out_N.root
                    #PRE_SKIP JobN 3
                    RETRY JobN 2 UNLESS-EXIT 2
                    VARS JobN count="N"
                    VARS JobN My.CRAB_localOutputFiles="\\"out.root=out_N.root\\""
                    ABORT-DAG-ON JobN 3
                    """.replace("JobN", "Job" + n)
                    .replace(".N.", "." + n + ".")
                    .replace(" N ", " " + n + " ")
                    .replace("\"N\"", "\"" + n + "\"")
                    .replace("_N.", "_" + n + "."));
        }
        write("task/RunJobs.dag", dag.toString());
        bind("task/RunJobs.dag", "bound");
        // Only the script knows of what its descriptions will name.
        try (var files = Files.list(folder.resolve("task"))) {
            for (Path file :
                    files.filter(path -> !path.toString().endsWith(".dag")).toList()) {
                Path here = folder.resolve("bound").resolve(file.getFileName());
                if (!Files.exists(here)) {
                    Files.createSymbolicLink(here, file);
                }
            }
        }
        runs(
                "bound",
                "node_status_file,accounting_group,accounting_group_user,use_x509userproxy,requirements,"
                        + "periodic_release,periodic_remove");

        for (int n = 1; n <= 3; n++) {
            assertThat(folder.resolve("bound/jobReport.json." + n)).hasContent("report of " + n + " on el9");
        }
        assertThat(Files.readAllLines(folder.resolve("bound/post"))).hasSize(6);
    }

    /** One script for each rule's job, descriptions within the DAG file, logs in a folder of their own. */
    @Test
    void aWorkflowOfSnakemake() throws Exception {
        var dag = new StringBuilder("# DAG file generated from a Snakefile\n\n");
        for (String[] job : new String[][] {
            {"map_1", "data/a.txt", "mapped/a.bam"},
            {"map_2", "data/b.txt", "mapped/b.bam"},
            {"call_3", "mapped/a.bam mapped/b.bam", "calls/all.vcf"}
        }) {
            String folder = job[2].replaceAll("/.*", "");
            program(
                    "snake/scripts/" + job[0] + ".sh",
                    "set -eu\nmkdir -p " + folder + "\n[ \"$THREADS\" = 2 ]\ncat " + job[1] + " > " + job[2] + "\n");
            dag.append("""
                    JOB NAME {
                        executable = scripts/NAME.sh
                        transfer_input_files = INPUTS
                        request_cpus = 2
                        request_memory = 2048MB
                        request_disk = 2048MB
                        universe = vanilla
                        initialdir = .
                        log = logs/NAME.log
                        error = logs/NAME.err
                        output = logs/NAME.out
                        retry = 1
                        environment = THREADS=2
                        queue
                    }
                    RETRY NAME 1
                    PRIORITY NAME 5

                    """.replace("NAME", job[0]).replace("INPUTS", job[1].replace(' ', ',')));
        }
        write("snake/workflow.dag", dag + "PARENT map_1 CHILD call_3\nPARENT map_2 CHILD call_3\n");
        write("snake/data/a.txt", "a\n");
        write("snake/data/b.txt", "b\n");
        Files.createDirectory(folder.resolve("snake/logs"));

        bind("snake/workflow.dag", "bound");
        runs("bound", "request_disk");

        assertThat(folder.resolve("bound/calls/all.vcf")).hasContent("a\nb");
        assertThat(folder.resolve("bound/logs/call_3.err")).exists();
        assertThat(folder.resolve("snake/calls")).doesNotExist();
    }

    /** Nodes with names of digits, a description for each kind of job, arguments from VARS, an inner DAG. */
    @Test
    void aPipelineOfLigo() throws Exception {
        program("ligo/bin/lalapps_stage", """
                while [ $# -gt 0 ]; do case $1 in
                  --gps-start-time) start=$2; shift 2 ;;
                  --input) input="$input $2"; shift 2 ;;
                  --output) output=$2; shift 2 ;;
                  --verbose) shift ;;
                  *) exit 9 ;;
                esac; done
                [ "$KMP_LIBRARY $MKL_SERIAL" = 'serial yes' ] || exit 8
                cat $input /dev/null > "$output" && echo "$start" >> "$output" && echo done
                """);
        for (String kind : List.of("tmpltbank", "inspiral", "thinca")) {
            write("ligo/run/" + kind + ".sub", """
                    universe = vanilla
                    executable = @/ligo/bin/lalapps_stage
                    arguments = " --gps-start-time $(macrogpsstarttime) $(macroarguments) --output $(macrooutput) --verbose "
                    environment = KMP_LIBRARY=serial;MKL_SERIAL=yes
                    getenv = True
                    accounting_group = ligo.dev.o4.cbc
                    accounting_group_user = albert.einstein
                    request_memory = 1999
                    priority = 0
                    log = @/ligo/run/pipeline.log
                    error = logs/KIND-$(macrogpsstarttime)-$(cluster)-$(process).err
                    output = logs/KIND-$(macrogpsstarttime)-$(cluster)-$(process).out
                    notification = never
                    queue 1
                    """.replace("KIND", kind));
        }
        Files.createDirectories(folder.resolve("ligo/run/logs"));
        write("ligo/run/inner.dag", """
                JOB 0b1b2b3b4b5b6b7b8b9b0b1b2b3b4b5b thinca.sub
                RETRY 0b1b2b3b4b5b6b7b8b9b0b1b2b3b4b5b 1
                VARS 0b1b2b3b4b5b6b7b8b9b0b1b2b3b4b5b macrogpsstarttime="900000000" macroarguments="--input H1.xml --input L1.xml" macrooutput="HL.xml"
                """);
        write("ligo/run/pipeline.dag", """
                MAXJOBS datafind 1
                JOB 1f0e2a9c4d3b5a697887766554433221 tmpltbank.sub
                RETRY 1f0e2a9c4d3b5a697887766554433221 3
                CATEGORY 1f0e2a9c4d3b5a697887766554433221 datafind
                VARS 1f0e2a9c4d3b5a697887766554433221 macrogpsstarttime="900000000" macroarguments="" macrooutput="bank.xml"
                JOB 2f0e2a9c4d3b5a697887766554433221 inspiral.sub
                RETRY 2f0e2a9c4d3b5a697887766554433221 3
                VARS 2f0e2a9c4d3b5a697887766554433221 macrogpsstarttime="900000001" macroarguments="--input bank.xml" macrooutput="H1.xml"
                JOB 3f0e2a9c4d3b5a697887766554433221 inspiral.sub
                RETRY 3f0e2a9c4d3b5a697887766554433221 3
                VARS 3f0e2a9c4d3b5a697887766554433221 macrogpsstarttime="900000002" macroarguments="--input bank.xml" macrooutput="L1.xml"
                SUBDAG EXTERNAL 4f0e2a9c4d3b5a697887766554433221 inner.dag
                RETRY 4f0e2a9c4d3b5a697887766554433221 1
                PARENT 1f0e2a9c4d3b5a697887766554433221 CHILD 2f0e2a9c4d3b5a697887766554433221 3f0e2a9c4d3b5a697887766554433221
                PARENT 2f0e2a9c4d3b5a697887766554433221 CHILD 4f0e2a9c4d3b5a697887766554433221
                PARENT 3f0e2a9c4d3b5a697887766554433221 CHILD 4f0e2a9c4d3b5a697887766554433221
                """);

        bind("ligo/run/pipeline.dag", "bound");
        runs("bound", "accounting_group,accounting_group_user,priority");

        assertThat(folder.resolve("bound/HL.xml")).hasContent("900000000\n900000001\n900000000\n900000002\n900000000");
        assertThat(folder.resolve("bound/logs/inspiral-900000002-3-0.out")).hasContent("done");
    }
}
