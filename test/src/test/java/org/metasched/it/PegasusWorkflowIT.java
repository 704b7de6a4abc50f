package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A DAG as Pegasus 5 writes it, bound and run on the command line to its end, with stand-ins for its programs. */
@Tag("full")
class PegasusWorkflowIT extends BoundWorkflow {

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
}
