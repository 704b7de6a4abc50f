package org.metasched.submit;

import java.util.List;
import java.util.Optional;

/** Attributes of jobs on EC2, Google and Azure: mostly texts, some of them names of files. */
final class CloudAttributes {

    private record Text(String key, String attribute) {}

    private static final List<Text> TEXTS = List.of(
            new Text("ec2_keypair", "EC2KeyPair"),
            new Text("ec2_security_groups", "EC2SecurityGroups"),
            new Text("ec2_security_ids", "EC2SecurityIDs"),
            new Text("ec2_ami_id", "EC2AmiID"),
            new Text("ec2_instance_type", "EC2InstanceType"),
            new Text("ec2_vpc_subnet", "EC2VpcSubnet"),
            new Text("ec2_vpc_ip", "EC2VpcIp"),
            new Text("ec2_elastic_ip", "EC2ElasticIp"),
            new Text("ec2_availability_zone", "EC2AvailabilityZone"),
            new Text("ec2_ebs_volumes", "EC2EBSVolumes"),
            new Text("ec2_spot_price", "EC2SpotPrice"),
            new Text("ec2_block_device_mapping", "EC2BlockDeviceMapping"),
            new Text("ec2_user_data", "EC2UserData"),
            new Text("ec2_iam_profile_arn", "EC2IamProfileArn"),
            new Text("ec2_iam_profile_name", "EC2IamProfileName"),
            new Text("gce_account", "GceAccount"),
            new Text("gce_image", "GceImage"),
            new Text("gce_machine_type", "GceMachineType"),
            new Text("gce_metadata", "GceMetadata"),
            new Text("azure_image", "AzureImage"),
            new Text("azure_location", "AzureLocation"),
            new Text("azure_size", "AzureSize"),
            new Text("azure_admin_username", "AzureAdminUsername"),
            new Text("azure_admin_key", "AzureAdminKey"));

    private static final List<Text> FILES = List.of(
            new Text("aws_access_key_id_file", "EC2AccessKeyId"),
            new Text("aws_secret_access_key_file", "EC2SecretAccessKey"),
            new Text("ec2_access_key_id", "EC2AccessKeyId"),
            new Text("ec2_secret_access_key", "EC2SecretAccessKey"),
            new Text("ec2_keypair_file", "EC2KeyPairFile"),
            new Text("ec2_user_data_file", "EC2UserDataFile"),
            new Text("gce_auth_file", "GceAuthFile"),
            new Text("gce_metadata_file", "GceMetadataFile"),
            new Text("gce_json_file", "GceJsonFile"),
            new Text("azure_auth_file", "AzureAuthFile"));

    private CloudAttributes() {}

    static void apply(AdMaker maker) throws SubmitException {
        if (maker.ad.string("GridResource").filter("ec2"::equalsIgnoreCase).isPresent()) {
            throw maker.settings.error("grid_resource", "EC2 grid jobs require a service URL");
        }
        for (Text text : TEXTS) {
            maker.stringIf(text.attribute, text.key, text.attribute);
        }
        for (Text file : FILES) {
            Optional<String> value = maker.settings.get(file.key, file.attribute);
            value.ifPresent(name -> maker.ad.putString(file.attribute, maker.inJobDirectory(name)));
        }
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
