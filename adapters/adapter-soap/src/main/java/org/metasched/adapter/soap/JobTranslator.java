package org.metasched.adapter.soap;

import static org.metasched.adapter.soap.SiteTranslator.bounded;
import static org.metasched.adapter.soap.SiteTranslator.constant;
import static org.metasched.adapter.soap.SiteTranslator.required;

import java.net.URI;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Limit;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.Requester;
import org.metasched.wsag.site.CheckType;
import org.metasched.wsag.site.JobNameType;
import org.metasched.wsag.site.JobStatusType;
import org.metasched.wsag.site.JobType;
import org.metasched.wsag.site.LimitType;
import org.metasched.wsag.site.NamedTextType;
import org.metasched.wsag.site.ProgramType;
import org.metasched.wsag.site.TransferType;

/** Translates jobs to messages and back; throws {@link IllegalArgumentException} for an impossible value. */
final class JobTranslator {

    private JobTranslator() {}

    static JobType message(Job job) {
        var message = new JobType();
        message.setName(message(job.name()));
        message.setProgram(message(job.program()));
        job.files().forEach((name, content) -> message.getFile().add(named(name, content)));
        return message;
    }

    static Job job(JobType message) {
        var files = new LinkedHashMap<String, String>();
        bounded("files", message.getFile()).forEach(file -> files.put(name(file), file.getValue()));
        return new Job(name(message.getName()), program(message.getProgram()), files);
    }

    static CheckType check(Program program, Optional<Requester> requester) {
        var message = new CheckType();
        message.setProgram(message(program));
        requester.ifPresent(sender -> message.setRequester(sender.subject()));
        return message;
    }

    static JobNameType message(Job.Name name) {
        var message = new JobNameType();
        message.setKey(name.key().value());
        message.setId(name.reservation().value());
        name.requester().ifPresent(requester -> message.setRequester(requester.subject()));
        name.requester().flatMap(Requester::project).ifPresent(message::setProject);
        return message;
    }

    static Job.Name name(@Nullable JobNameType message) {
        var sent = required("name of the job", message);
        return new Job.Name(
                SiteTranslator.key(sent.getKey()),
                SiteTranslator.id(sent.getId()),
                SiteTranslator.requester(sent.getRequester(), List.of(), sent.getProject()));
    }

    static JobStatusType message(Job.Name name, JobStatus status) {
        var message = new JobStatusType();
        message.setName(message(name));
        message.setState(status.state().name());
        message.setId(XmlText.of(status.id()));
        status.exitCode().ifPresent(message::setExitCode);
        message.setOutput(XmlText.of(status.output()));
        message.setDetail(XmlText.of(status.detail()));
        return message;
    }

    static JobStatus status(@Nullable JobStatusType message) {
        var sent = required("job", message);
        return new JobStatus(
                constant(JobStatus.State.class, "state of the job", sent.getState()),
                required("id of the job", sent.getId()),
                Optional.ofNullable(sent.getExitCode()),
                required("output of the job", sent.getOutput()),
                required("detail of the job", sent.getDetail()));
    }

    private static ProgramType message(Program program) {
        var message = new ProgramType();
        message.setExecutable(program.executable());
        message.getArgument().addAll(program.arguments());
        program.environment().forEach((name, value) -> message.getEnvironment().add(named(name, value)));
        program.directory().ifPresent(message::setDirectory);
        program.input().ifPresent(message::setInput);
        program.output().ifPresent(message::setOutput);
        program.error().ifPresent(message::setError);
        message.setProcesses(program.processes());
        message.setPerNode(program.perNode());
        program.limits().forEach((limit, amount) -> {
            var part = new LimitType();
            part.setOf(limit.name());
            part.setAmount(amount);
            message.getLimit().add(part);
        });
        program.transfers().forEach(transfer -> message.getTransfer().add(message(transfer)));
        program.together().ifPresent(message::setTogether);
        program.sweep().forEach(instance -> message.getSweep().add(message(instance)));
        return message;
    }

    private static TransferType message(Transfer transfer) {
        var message = new TransferType();
        message.setName(transfer.name());
        transfer.source().ifPresent(place -> message.setSource(place.toString()));
        transfer.target().ifPresent(place -> message.setTarget(place.toString()));
        message.setAppend(transfer.append());
        message.setKeep(transfer.keep());
        message.setDelete(transfer.delete());
        return message;
    }

    static Program program(@Nullable ProgramType message) {
        var sent = required("program", message);
        var environment = new LinkedHashMap<String, String>();
        bounded("variables", sent.getEnvironment()).forEach(entry -> environment.put(name(entry), entry.getValue()));
        Map<Limit, Long> limits = new EnumMap<>(Limit.class);
        bounded("limits", sent.getLimit())
                .forEach(limit -> limits.put(constant(Limit.class, "limit", limit.getOf()), limit.getAmount()));
        return new Program(
                required("executable", sent.getExecutable()),
                bounded("arguments", sent.getArgument()),
                environment,
                Optional.ofNullable(sent.getDirectory()),
                Optional.ofNullable(sent.getInput()),
                Optional.ofNullable(sent.getOutput()),
                Optional.ofNullable(sent.getError()),
                sent.getProcesses(),
                sent.getPerNode(),
                limits,
                bounded("transfers", sent.getTransfer()).stream()
                        .map(JobTranslator::transfer)
                        .toList(),
                Optional.ofNullable(sent.getTogether()),
                bounded("instances of a sweep", sent.getSweep()).stream()
                        .map(JobTranslator::program)
                        .toList());
    }

    private static Transfer transfer(TransferType sent) {
        return new Transfer(
                required("name of the file", sent.getName()),
                Optional.ofNullable(sent.getSource()).map(URI::create),
                Optional.ofNullable(sent.getTarget()).map(URI::create),
                sent.isAppend(),
                sent.isKeep(),
                sent.isDelete());
    }

    private static NamedTextType named(String name, String text) {
        var message = new NamedTextType();
        message.setName(name);
        message.setValue(text);
        return message;
    }

    private static String name(NamedTextType text) {
        return required("name", text.getName());
    }
}
