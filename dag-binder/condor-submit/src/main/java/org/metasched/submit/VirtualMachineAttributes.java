package org.metasched.submit;

import java.util.Locale;
import java.util.Optional;

/** Attributes of jobs that are virtual machines. */
final class VirtualMachineAttributes extends AttributeGroup {

    VirtualMachineAttributes(AdMaker maker) {
        super(maker);
    }

    void apply() throws SubmitException {
        if (!maker.universe.is(Universe.VM)) {
            return;
        }
        String type = settings.get("vm_type", "JobVMType").orElse("").toLowerCase(Locale.ROOT);
        if (!type.isEmpty()) {
            ad.putString("JobVMType", type);
        }
        ad.put("JobVMCheckpoint", settings.truth(false, "vm_checkpoint", "JobVMCheckpoint"));
        networking();
        ad.put("JobVM_VNC", settings.truth(false, "vm_vnc", "JobVM_VNC"));
        memory();
        long processors = settings.get("vm_vcpus", "JobVM_VCPUS")
                .flatMap(SubmitNumbers::integer)
                .orElse(1L);
        ad.put("JobVM_VCPUS", Math.max(1, processors));
        maker.stringIf("JobVM_MACADDR", "vm_macaddr", "JobVM_MACADDR");
        if (settings.isSet("vm_no_output_vm")) {
            ad.put("VMPARAM_No_Output_VM", settings.truth(false, "vm_no_output_vm"));
        }
        settings.refuseIf(type.equals("vmware"), "vm_type", "A vm_type of 'vmware' is no longer supported");
        if (type.equals("xen")) {
            xen();
        }
        if (type.equals("xen") || type.equals("kvm")) {
            disk();
        }
    }

    private void networking() throws SubmitException {
        boolean networking = settings.truth(false, "vm_networking", "JobVMNetworking");
        ad.put("JobVMNetworking", networking);
        if (!networking) {
            return;
        }
        maker.stringIf("JobVMNetworkingType", "vm_networking_type", "JobVMNetworkingType");
        boolean saved = settings.get("WhenToTransferOutput", "when_to_transfer_output")
                .filter("ON_EXIT_OR_EVICT"::equalsIgnoreCase)
                .isPresent();
        settings.refuseIf(
                ad.isTrue("JobVMCheckpoint") && !saved,
                "vm_networking",
                "You explicitly requested both VM checkpoint and VM networking. If you still want to use both,"
                        + " you explicitly must define \"when_to_transfer_output = ON_EXIT_OR_EVICT\"");
    }

    private void memory() throws SubmitException {
        Optional<String> memory = settings.get("vm_memory", "JobVMMemory");
        settings.refuseIf(
                memory.isEmpty(),
                "vm_memory",
                "vm_memory cannot be found.\nPlease specify vm_memory for vm universe in your submit description file.");
        long mebibytes = SubmitNumbers.bytes(memory.get(), 1L << 20).orElse(0L);
        settings.refuseIf(mebibytes < 1, "vm_memory", "vm_memory is incorrectly specified");
        ad.put("JobVMMemory", mebibytes);
        ad.put("ExecutableSize", mebibytes * 1024);
    }

    private void xen() throws SubmitException {
        String kernel = settings.get("xen_kernel", "VMPARAM_Xen_Kernel")
                .orElseThrow(() -> settings.error("xen_kernel", "'xen_kernel' cannot be found."));
        ad.putString("VMPARAM_Xen_Kernel", kernel);
        boolean unmodified = kernel.equalsIgnoreCase("vmx");
        boolean isFile = !unmodified && !kernel.equalsIgnoreCase("included");
        if (unmodified) {
            ad.put("JobVMHardwareVT", true);
        }
        settings.refuseIf(
                settings.isSet("xen_initrd") && !isFile,
                "xen_initrd",
                "To use xen_initrd, xen_kernel should be a real kernel file.");
        maker.stringIf("VMPARAM_Xen_Initrd", "xen_initrd");
        if (isFile) {
            ad.putString(
                    "VMPARAM_Xen_Root",
                    settings.get("xen_root")
                            .orElseThrow(() -> settings.error("xen_root", "'xen_root' cannot be found.")));
        }
        settings.get("xen_kernel_params", "VMPARAM_Xen_Kernel_Params")
                .ifPresent(text -> ad.putString("VMPARAM_Xen_Kernel_Params", AdMaker.unquoted(text)));
    }

    private void disk() throws SubmitException {
        String disks =
                settings.get("vm_disk").orElseThrow(() -> settings.error("vm_disk", "'<vm>_disk' cannot be found."));
        for (String disk : AdMaker.list(disks)) {
            int fields = disk.split(":").length;
            settings.refuseIf(
                    fields < 3 || fields > 4,
                    "vm_disk",
                    "'vm_disk' has incorrect format.\nThe format shoud be like"
                            + " \"<filename>:<devicename>:<permission>\"");
        }
        ad.putString("VMPARAM_vm_Disk", disks);
    }
}
