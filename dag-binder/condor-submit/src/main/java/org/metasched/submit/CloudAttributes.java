package org.metasched.submit;

/** Attributes of jobs on EC2, Google and Azure: mostly texts, some of them names of files. */
final class CloudAttributes {

    /** The type of the grid, an attribute that it requires, and the error without it. */
    private static final String[] REQUIRED = """
        ec2 EC2AccessKeyId EC2 jobs require a 'ec2_access_key_id' or 'aws_access_key_id_file' parameter
        ec2 EC2SecretAccessKey EC2 jobs require a 'ec2_secret_access_key' or 'aws_secret_access_key_file' parameter
        ec2 EC2AmiID EC2 jobs require a "ec2_ami_id" parameter
        gce GceImage GCE jobs require a "gce_image" parameter
        gce GceMachineType GCE jobs require a "gce_machine_type" parameter
        azure AzureImage Azure jobs require an "azure_image" parameter
        azure AzureLocation Azure jobs require an "azure_location" parameter
        azure AzureSize Azure jobs require an "azure_size" parameter
        azure AzureAdminUsername Azure jobs require an "azure_admin_username" parameter
        azure AzureAdminKey Azure jobs require an "azure_admin_key" parameter
        """.split("\n");

    private CloudAttributes() {}

    static void apply(AdMaker maker) throws SubmitException {
        maker.settings.refuseIf(
                maker.ad.string("GridResource").filter("ec2"::equalsIgnoreCase).isPresent(),
                "grid_resource",
                "EC2 grid jobs require a service URL");
        SimpleCommands.CLOUDS.apply(maker);
        for (String row : REQUIRED) {
            String[] words = row.split(" ", 3);
            maker.settings.refuseIf(
                    maker.universe.isGrid(words[0]) && !maker.ad.has(words[1]), "grid_resource", words[2]);
        }
        maker.settings.refuseIf(
                maker.ad.has("EC2EBSVolumes") && !maker.ad.has("EC2AvailabilityZone"),
                "ec2_ebs_volumes",
                "'ec2_ebs_volumes' requires 'ec2_availability_zone'");
    }
}
