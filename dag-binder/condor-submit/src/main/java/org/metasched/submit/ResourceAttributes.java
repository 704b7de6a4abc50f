package org.metasched.submit;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Resources of the job: processors, memory, disk, graphics processors, and other countable resources of a pool. */
final class ResourceAttributes extends AttributeGroup {

    private static final long MIB = 1L << 20;
    private static final Set<String> KNOWN =
            Set.of(("request_cpus request_cpu request_memory request_disk request_gpus request_gpu"
                            + " request_gpu_memory request_gpus_memory")
                    .split(" "));

    ResourceAttributes(AdMaker maker) {
        super(maker);
    }

    void apply() throws SubmitException {
        boolean defaults = !maker.universe.isGrid("batch");
        custom();
        Optional<String> cpus = settings.get("request_cpus", "RequestCpus");
        if (cpus.isPresent()) {
            expressionUnlessUndefined("RequestCpus", "request_cpus", cpus.get());
        } else if (defaults && !ad.has("RequestCpus")) {
            ad.put("RequestCpus", 1);
        }
        gpus();
        amount(
                "RequestDisk",
                "request_disk",
                1024,
                defaults ? "MAX({ 1024,(TransferInputSizeMB + 1) * 1.25 }) * 1024" : "");
        amount("RequestMemory", "request_memory", MIB, defaults && !ad.has("JobVMMemory") ? "128" : "");
        if (ad.has("JobVMMemory") && !ad.has("RequestMemory")) {
            ad.put("RequestMemory", "MY.JobVMMemory");
        }
    }

    /**
     * Puts an amount.
     *
     * @param unit bytes in one unit of the attribute
     * @param otherwise value if the command is not given; empty for none
     */
    private void amount(String attribute, String key, long unit, String otherwise) throws SubmitException {
        Optional<String> given = settings.get(key, attribute);
        if (given.isEmpty()) {
            if (!otherwise.isEmpty()) {
                ad.put(attribute, otherwise);
            }
            return;
        }
        Optional<Long> bytes = SubmitNumbers.bytes(given.get(), unit);
        if (bytes.isPresent()) {
            ad.put(attribute, bytes.get());
        } else {
            expressionUnlessUndefined(attribute, key, given.get());
        }
    }

    private void expressionUnlessUndefined(String attribute, String key, String text) throws SubmitException {
        if (!text.strip().equalsIgnoreCase("undefined")) {
            maker.expression(attribute, key, text);
        }
    }

    private void gpus() throws SubmitException {
        Optional<String> gpus = settings.get("request_gpus", "RequestGPUs");
        if (gpus.isPresent()) {
            expressionUnlessUndefined("RequestGPUs", "request_gpus", gpus.get());
        }
        if (!ad.has("RequestGPUs")) {
            return;
        }
        maker.expressionIf("RequireGPUs", "require_gpus", "RequireGPUs");
        maker.expressionIf("GPUsMinCapability", "gpus_minimum_capability", "GPUsMinCapability");
        maker.expressionIf("GPUsMaxCapability", "gpus_maximum_capability", "GPUsMaxCapability");
        amount("GPUsMinMemory", "gpus_minimum_memory", MIB, "");
        Optional<String> runtime = settings.get("gpus_minimum_runtime", "GPUsMinRuntime");
        if (runtime.isPresent()) {
            runtime(runtime.get());
        }
    }

    /** The version {@code x} or {@code x.y} becomes x * 1000 + y * 10; a lone x above 1000 has this form already. */
    private void runtime(String text) throws SubmitException {
        String[] parts = text.strip().split("\\.", 2);
        if (!text.strip().matches("\\d{1,6}(\\.\\d{1,2})?")) {
            maker.expression("GPUsMinRuntime", "gpus_minimum_runtime", text);
            return;
        }
        long major = Long.parseLong(parts[0]);
        boolean canonical = parts.length == 1 && major > 1000;
        ad.put(
                "GPUsMinRuntime",
                canonical ? major : major * 1000 + (parts.length > 1 ? Long.parseLong(parts[1]) * 10 : 0));
    }

    /** Puts the requests of resources that the pool defines: {@code request_NAME}. */
    private void custom() throws SubmitException {
        for (String name : settings.names()) {
            String lower = name.toLowerCase(Locale.ROOT);
            String tag = lower.startsWith("request_") ? name.substring("request_".length()) : "";
            if (tag.length() >= 2 && tag.charAt(0) != '_' && !KNOWN.contains(lower)) {
                maker.expressionIf("Request" + tag, name);
            }
        }
    }

    /** Adds the limits that were given as commands of their own to RequireGPUs. */
    void gpuProperties() throws SubmitException {
        if (!ad.has("RequestGPUs")) {
            return;
        }
        Set<String> mentioned = new TreeSet<>();
        ad.expression("RequireGPUs").ifPresent(expr -> mentioned.addAll(SubmitExpressions.machineReferences(expr)));
        StringBuilder clauses = new StringBuilder();
        clause(clauses, mentioned, "GPUsMinCapability", "Capability", ">=");
        clause(clauses, mentioned, "GPUsMaxCapability", "Capability", "<=");
        clause(clauses, mentioned, "GPUsMinMemory", "GlobalMemoryMb", ">=");
        clause(clauses, mentioned, "GPUsMinRuntime", "MaxSupportedVersion", ">=");
        if (clauses.length() > 0) {
            String before = ad.expression("RequireGPUs")
                    .map(expr -> PolicyAttributes.wrappedForAnd(expr) + " && ")
                    .orElse("");
            maker.expression("RequireGPUs", "require_gpus", before + clauses);
        }
    }

    private void clause(StringBuilder clauses, Set<String> mentioned, String limit, String property, String operator) {
        if (ad.has(limit) && !mentioned.contains(property.toLowerCase(Locale.ROOT))) {
            clauses.append(clauses.length() > 0 ? " && " : "").append(property + " " + operator + " " + limit);
        }
    }
}
