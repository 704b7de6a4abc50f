package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** DAGs as CRAB, Snakemake and LIGO write them, bound and run on the command line to their ends, with stand-ins for Slurm and the tools' programs. */
@Tag("full")
class WorkflowToolsIT extends BoundWorkflow {

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
