package org.metasched.submit;

/** Attributes of jobs on EC2, Google and Azure: mostly texts, some of them names of files. */
final class CloudAttributes {

    private CloudAttributes() {}

    static void apply(AdMaker maker) throws SubmitException {
        if (maker.ad.string("GridResource").filter("ec2"::equalsIgnoreCase).isPresent()) {
            throw maker.settings.error("grid_resource", "EC2 grid jobs require a service URL");
        }
        SimpleCommands.CLOUDS.apply(maker);
        require(
                maker,
                "ec2",
                "EC2AccessKeyId",
                "EC2 jobs require a 'ec2_access_key_id' or 'aws_access_key_id_file' parameter");
        require(
                maker,
                "ec2",
                "EC2SecretAccessKey",
                "EC2 jobs require a 'ec2_secret_access_key' or 'aws_secret_access_key_file' parameter");
        require(maker, "ec2", "EC2AmiID", "EC2 jobs require a \"ec2_ami_id\" parameter");
        require(maker, "gce", "GceImage", "GCE jobs require a \"gce_image\" parameter");
        require(maker, "gce", "GceMachineType", "GCE jobs require a \"gce_machine_type\" parameter");
        require(maker, "azure", "AzureImage", "Azure jobs require an \"azure_image\" parameter");
        require(maker, "azure", "AzureLocation", "Azure jobs require an \"azure_location\" parameter");
        require(maker, "azure", "AzureSize", "Azure jobs require an \"azure_size\" parameter");
        require(maker, "azure", "AzureAdminUsername", "Azure jobs require an \"azure_admin_username\" parameter");
        require(maker, "azure", "AzureAdminKey", "Azure jobs require an \"azure_admin_key\" parameter");
        if (maker.ad.has("EC2EBSVolumes") && !maker.ad.has("EC2AvailabilityZone")) {
            throw maker.settings.error("ec2_ebs_volumes", "'ec2_ebs_volumes' requires 'ec2_availability_zone'");
        }
    }

    private static void require(AdMaker maker, String type, String attribute, String complaint) throws SubmitException {
        if (maker.universe.isGrid(type) && !maker.ad.has(attribute)) {
            throw maker.settings.error("grid_resource", complaint);
        }
    }
}
