package org.metasched.it;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Offers with programs, as an initiator writes them. */
public final class ProgramOffers {

    /** A parallel program in the manner of MPI: every rank says hello to rank 0, which lists all and the machine file. */
    public static final String HELLO = """
            import java.io.*;
            import java.net.*;
            import java.nio.file.*;
            import java.util.*;

            class Hello {
                public static void main(String[] args) throws Exception {
                    long began = System.currentTimeMillis();
                    var env = System.getenv();
                    int rank = Integer.parseInt(env.get("METASCHED_RANK")), size = Integer.parseInt(env.get("METASCHED_SIZE"));
                    String secret = Files.readString(Path.of(env.get("METASCHED_SECRET_FILE"))).strip();
                    if (rank == 0) {
                        var heard = new TreeSet<Integer>(List.of(0));
                        var begins = new TreeSet<Long>(List.of(began));
                        try (var door = new ServerSocket(Integer.parseInt(args[0]))) {
                            while (heard.size() < size) {
                                var words = new BufferedReader(new InputStreamReader(door.accept().getInputStream())).readLine().split(" ");
                                if (words[0].equals(secret) && heard.add(Integer.valueOf(words[1]))) begins.add(Long.valueOf(words[2]));
                            }
                        }
                        System.out.println("heard " + heard + " " + Files.readAllLines(Path.of(env.get("METASCHED_MACHINEFILE"))));
                        System.out.println("spread " + (begins.last() - begins.first()) + " ms");
                        return;
                    }
                    for (int i = 0; ; i++) {
                        try (var call = new Socket("127.0.0.1", Integer.parseInt(args[0]))) {
                            call.getOutputStream().write((secret + " " + rank + " " + began + "\\n").getBytes());
                            return;
                        } catch (ConnectException e) {
                            if (i > 300) throw e;
                            Thread.sleep(100);
                        }
                    }
                }
            }
            """;

    private ProgramOffers() {}

    /** An application of two processes that find all others. */
    public static String hello(Path program, int port, int perNode) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return spmd(java, List.of(program.toString(), String.valueOf(port)), 2, perNode)
                + "<m:Together>240</m:Together>";
    }

    public static String spmd(String executable, List<String> arguments, int processes, int perNode) {
        return posix(
                        executable,
                        arguments,
                        "<s:NumberOfProcesses>" + processes + "</s:NumberOfProcesses><s:ProcessesPerHost>" + perNode
                                + "</s:ProcessesPerHost>")
                .replace("p:POSIXApplication>", "s:SPMDApplication>");
    }

    public static String posix(String executable, List<String> arguments, String more) {
        var text = new StringBuilder("<p:POSIXApplication><p:Executable>" + executable + "</p:Executable>");
        arguments.forEach(argument -> text.append("<p:Argument>")
                .append(argument.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</p:Argument>"));
        return text + more + "</p:POSIXApplication>";
    }

    public static String part(String site, int nodes, String application, String staging) {
        return """
                <w:ServiceDescriptionTerm w:Name="part-%1$s" w:ServiceName="%1$s"><j:JobDefinition><j:JobDescription>
                <j:Application>%3$s</j:Application>
                <j:Resources><j:CandidateHosts><j:HostName>%1$s</j:HostName></j:CandidateHosts>
                <j:TotalResourceCount><j:Exact>%2$d</j:Exact></j:TotalResourceCount></j:Resources>%4$s
                </j:JobDescription></j:JobDefinition></w:ServiceDescriptionTerm>
                """.formatted(
                site,
                nodes,
                application.replace("<p:Executable>", "<p:WallTimeLimit>DURATION</p:WallTimeLimit><p:Executable>"),
                staging);
    }

    public static String offer(int seconds, String... parts) {
        return """
                <w:AgreementOffer xmlns:w="http://schemas.ggf.org/graap/2007/03/ws-agreement" w:AgreementId="%s"
                    xmlns:j="http://schemas.ggf.org/jsdl/2005/11/jsdl" xmlns:p="http://schemas.ggf.org/jsdl/2005/11/jsdl-posix"
                    xmlns:s="http://schemas.ogf.org/jsdl/2007/02/jsdl-spmd" xmlns:m="urn:metasched:agreement:1">
                <w:Name>CO-ALLOCATION</w:Name><w:Context><w:ServiceProvider>AgreementResponder</w:ServiceProvider>
                <w:TemplateId>1</w:TemplateId><w:TemplateName>CO-ALLOCATION</w:TemplateName></w:Context>
                <w:Terms><w:All>%s</w:All></w:Terms></w:AgreementOffer>
                """.formatted(UUID.randomUUID(), String.join("", parts).replace("DURATION", String.valueOf(seconds)));
    }
}
