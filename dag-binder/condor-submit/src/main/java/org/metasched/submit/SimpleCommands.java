package org.metasched.submit;

import java.util.List;
import java.util.Optional;

/** Tables of the submit commands that go into the job ad just as they are, each under the name of its attribute. */
final class SimpleCommands {

    private enum Kind {
        EXPRESSION,
        STRING,
        /** A string whose own quotes are taken off. */
        UNQUOTED,
        /** The name of a file, made absolute. */
        FILE,
        LIST,
        TRUTH,
        INTEGER,
        NATURAL
    }

    private record Command(String key, String attribute, Kind kind) {}

    static final SimpleCommands OF_ALL_JOBS = new SimpleCommands(
            new Command("next_job_start_delay", "NextJobStartDelay", Kind.EXPRESSION),
            new Command("keep_claim_idle", "KeepClaimIdle", Kind.EXPRESSION),
            new Command("job_ad_information_attrs", "JobAdInformationAttrs", Kind.STRING),
            new Command("ulog_execute_attrs", "ULogExecuteEventAttrs", Kind.STRING),
            new Command("max_idle", "JobMaterializeMaxIdle", Kind.EXPRESSION),
            new Command("materialize_max_idle", "JobMaterializeMaxIdle", Kind.EXPRESSION),
            new Command("docker_network_type", "DockerNetworkType", Kind.STRING),
            new Command("docker_pull_policy", "DockerPullPolicy", Kind.STRING),
            new Command("docker_override_entrypoint", "DockerOverrideEntrypoint", Kind.TRUTH),
            new Command("container_target_dir", "ContainerTargetDir", Kind.UNQUOTED),
            new Command("transfer_container", "TransferContainer", Kind.TRUTH),
            new Command("mount_under_scratch", "MountUnderScratch", Kind.EXPRESSION),
            new Command("transfer_plugins", "TransferPlugins", Kind.STRING),
            new Command("want_io_proxy", "WantIOProxy", Kind.TRUTH),
            new Command("starter_debug", "JobStarterDebug", Kind.UNQUOTED),
            new Command("starter_log", "JobStarterLog", Kind.FILE),
            new Command("job_machine_attrs", "JobMachineAttrs", Kind.STRING),
            new Command("job_machine_attrs_history_length", "JobMachineAttrsHistoryLength", Kind.INTEGER),
            new Command("notify_user", "NotifyUser", Kind.STRING),
            new Command("email_attributes", "EmailAttributes", Kind.LIST),
            new Command("remote_initialdir", "RemoteIwd", Kind.STRING),
            new Command("Remote_grid_resource", "Remote_GridResource", Kind.STRING),
            new Command("Remote_Remote_grid_resource", "Remote_Remote_GridResource", Kind.STRING),
            new Command("output_destination", "OutputDestination", Kind.STRING),
            new Command("want_graceful_removal", "WantGracefulRemoval", Kind.EXPRESSION),
            new Command("job_max_vacate_time", "JobMaxVacateTime", Kind.EXPRESSION),
            new Command("encrypt_execute_directory", "EncryptExecuteDirectory", Kind.TRUTH),
            new Command("encrypt_input_files", "EncryptInputFiles", Kind.STRING),
            new Command("encrypt_output_files", "EncryptOutputFiles", Kind.STRING),
            new Command("dont_encrypt_input_files", "DontEncryptInputFiles", Kind.STRING),
            new Command("dont_encrypt_output_files", "DontEncryptOutputFiles", Kind.STRING),
            new Command("load_profile", "LoadProfile", Kind.TRUTH),
            new Command("file_remaps", "FileRemaps", Kind.EXPRESSION),
            new Command("buffer_files", "BufferFiles", Kind.EXPRESSION),
            new Command("buffer_size", "BufferSize", Kind.EXPRESSION),
            new Command("buffer_block_size", "BufferBlockSize", Kind.EXPRESSION),
            new Command("fetch_files", "FetchFiles", Kind.STRING),
            new Command("compress_files", "CompressFiles", Kind.STRING),
            new Command("append_files", "AppendFiles", Kind.STRING),
            new Command("local_files", "LocalFiles", Kind.STRING),
            new Command("log", "UserLog", Kind.FILE),
            new Command("dagman_log", "DAGManNodesLog", Kind.FILE),
            new Command("log_xml", "UserLogUseXML", Kind.TRUTH),
            new Command("noop_job", "IsNoopJob", Kind.EXPRESSION),
            new Command("noop_job_exit_signal", "NoopJobExitSignal", Kind.EXPRESSION),
            new Command("noop_job_exit_code", "NoopJobExitCode", Kind.EXPRESSION),
            new Command("dag_node_name", "DAGNodeName", Kind.STRING),
            new Command("match_list_length", "LastMatchListLength", Kind.INTEGER),
            new Command("dagman_job_id", "DAGManJobId", Kind.NATURAL),
            new Command("submit_event_notes", "SubmitEventNotes", Kind.STRING),
            new Command("submit_event_user_notes", "SubmitEventUserNotes", Kind.STRING),
            new Command("stack_size", "StackSize", Kind.EXPRESSION),
            new Command("jar_files", "JarFiles", Kind.STRING),
            new Command("parallel_script_shadow", "ParallelScriptShadow", Kind.STRING),
            new Command("parallel_script_starter", "ParallelScriptStarter", Kind.STRING),
            new Command("cron_minute", "CronMinute", Kind.STRING),
            new Command("cron_hour", "CronHour", Kind.STRING),
            new Command("cron_day_of_month", "CronDayOfMonth", Kind.STRING),
            new Command("cron_month", "CronMonth", Kind.STRING),
            new Command("cron_day_of_week", "CronDayOfWeek", Kind.STRING),
            new Command("description", "JobDescription", Kind.STRING),
            new Command("batch_name", "JobBatchName", Kind.UNQUOTED),
            new Command("batch_id", "JobBatchId", Kind.UNQUOTED),
            new Command("max_job_retirement_time", "MaxJobRetirementTime", Kind.EXPRESSION),
            new Command("job_lease_duration", "JobLeaseDuration", Kind.EXPRESSION),
            new Command("core_size", "CoreSize", Kind.INTEGER),
            new Command("prio", "JobPrio", Kind.INTEGER),
            new Command("priority", "JobPrio", Kind.INTEGER),
            new Command("run_as_owner", "RunAsOwner", Kind.TRUTH),
            new Command("max_transfer_input_mb", "MaxTransferInputMB", Kind.EXPRESSION),
            new Command("max_transfer_output_mb", "MaxTransferOutputMB", Kind.EXPRESSION),
            new Command("manifest", "ManifestDesired", Kind.TRUTH),
            new Command("manifest_dir", "ManifestDir", Kind.STRING),
            new Command("checkpoint_exit_code", "CheckpointExitCode", Kind.INTEGER),
            new Command("checkpoint_destination", "CheckpointDestination", Kind.STRING),
            new Command("aws_region", "AWSRegion", Kind.STRING),
            new Command("aws_access_key_id_file", "EC2AccessKeyId", Kind.STRING),
            new Command("aws_secret_access_key_file", "EC2SecretAccessKey", Kind.STRING),
            new Command("s3_access_key_id_file", "EC2AccessKeyId", Kind.STRING),
            new Command("s3_secret_access_key_file", "EC2SecretAccessKey", Kind.STRING),
            new Command("gs_access_key_id_file", "EC2AccessKeyId", Kind.STRING),
            new Command("gs_secret_access_key_file", "EC2SecretAccessKey", Kind.STRING),
            new Command("erase_output_and_error_on_restart", "DontAppend", Kind.TRUTH),
            new Command("transfer_checkpoint_files", "TransferCheckpoint", Kind.STRING),
            new Command("preserve_relative_paths", "PreserveRelativePaths", Kind.TRUTH),
            new Command("cuda_version", "CUDAVersion", Kind.STRING),
            new Command("skip_if_dataflow", "SkipIfDataflow", Kind.TRUTH),
            new Command("allowed_job_duration", "AllowedJobDuration", Kind.EXPRESSION),
            new Command("allowed_execute_duration", "AllowedExecuteDuration", Kind.EXPRESSION),
            new Command("jobset", "JobSetName", Kind.UNQUOTED),
            new Command("primary_unix_group", "PrimaryUnixGroup", Kind.STRING));

    /** Of jobs on grids. */
    static final SimpleCommands GRIDS = new SimpleCommands(
            new Command("grid_resource", "GridResource", Kind.STRING),
            new Command("arc_rte", "ArcRte", Kind.STRING),
            new Command("arc_resources", "ArcResources", Kind.STRING),
            new Command("arc_application", "ArcApplication", Kind.STRING),
            new Command("batch_extra_submit_args", "BatchExtraSubmitArgs", Kind.STRING),
            new Command("batch_project", "BatchProject", Kind.STRING),
            new Command("batch_queue", "BatchQueue", Kind.STRING),
            new Command("batch_runtime", "BatchRuntime", Kind.EXPRESSION));

    /** Of jobs on EC2, Google and Azure. */
    static final SimpleCommands CLOUDS = new SimpleCommands(
            new Command("ec2_keypair", "EC2KeyPair", Kind.STRING),
            new Command("ec2_security_groups", "EC2SecurityGroups", Kind.STRING),
            new Command("ec2_security_ids", "EC2SecurityIDs", Kind.STRING),
            new Command("ec2_ami_id", "EC2AmiID", Kind.STRING),
            new Command("ec2_instance_type", "EC2InstanceType", Kind.STRING),
            new Command("ec2_vpc_subnet", "EC2VpcSubnet", Kind.STRING),
            new Command("ec2_vpc_ip", "EC2VpcIp", Kind.STRING),
            new Command("ec2_elastic_ip", "EC2ElasticIp", Kind.STRING),
            new Command("ec2_availability_zone", "EC2AvailabilityZone", Kind.STRING),
            new Command("ec2_ebs_volumes", "EC2EBSVolumes", Kind.STRING),
            new Command("ec2_spot_price", "EC2SpotPrice", Kind.STRING),
            new Command("ec2_block_device_mapping", "EC2BlockDeviceMapping", Kind.STRING),
            new Command("ec2_user_data", "EC2UserData", Kind.STRING),
            new Command("ec2_iam_profile_arn", "EC2IamProfileArn", Kind.STRING),
            new Command("ec2_iam_profile_name", "EC2IamProfileName", Kind.STRING),
            new Command("gce_account", "GceAccount", Kind.STRING),
            new Command("gce_image", "GceImage", Kind.STRING),
            new Command("gce_machine_type", "GceMachineType", Kind.STRING),
            new Command("gce_metadata", "GceMetadata", Kind.STRING),
            new Command("azure_image", "AzureImage", Kind.STRING),
            new Command("azure_location", "AzureLocation", Kind.STRING),
            new Command("azure_size", "AzureSize", Kind.STRING),
            new Command("azure_admin_username", "AzureAdminUsername", Kind.STRING),
            new Command("azure_admin_key", "AzureAdminKey", Kind.STRING),
            new Command("aws_access_key_id_file", "EC2AccessKeyId", Kind.FILE),
            new Command("aws_secret_access_key_file", "EC2SecretAccessKey", Kind.FILE),
            new Command("ec2_access_key_id", "EC2AccessKeyId", Kind.FILE),
            new Command("ec2_secret_access_key", "EC2SecretAccessKey", Kind.FILE),
            new Command("ec2_keypair_file", "EC2KeyPairFile", Kind.FILE),
            new Command("ec2_user_data_file", "EC2UserDataFile", Kind.FILE),
            new Command("gce_auth_file", "GceAuthFile", Kind.FILE),
            new Command("gce_metadata_file", "GceMetadataFile", Kind.FILE),
            new Command("gce_json_file", "GceJsonFile", Kind.FILE),
            new Command("azure_auth_file", "AzureAuthFile", Kind.FILE));

    private final List<Command> commands;

    private SimpleCommands(Command... commands) {
        this.commands = List.of(commands);
    }

    void apply(AdMaker maker) throws SubmitException {
        for (Command command : commands) {
            Optional<String> value = maker.settings.get(command.key, command.attribute);
            if (value.isPresent()) {
                put(maker, command, value.get());
            }
        }
    }

    private static void put(AdMaker maker, Command command, String value) throws SubmitException {
        switch (command.kind) {
            case EXPRESSION -> maker.expression(command.attribute, command.key, value);
            case STRING -> maker.ad.putString(command.attribute, value);
            case UNQUOTED -> maker.ad.putString(command.attribute, AdMaker.unquoted(value));
            case FILE ->
                maker.ad.putString(command.attribute, maker.inJobDirectory(AdMaker.unquotedIf(command.key, value)));
            case LIST -> maker.ad.putString(command.attribute, value.strip().replaceAll("[\\s,]+", ","));
            case TRUTH -> maker.ad.put(command.attribute, maker.settings.truth(false, command.key, command.attribute));
            default -> number(maker, command, value);
        }
    }

    private static void number(AdMaker maker, Command command, String value) throws SubmitException {
        long number = maker.settings.integer(command.key, command.attribute).orElseThrow();
        if (command.kind == Kind.NATURAL && number < 0) {
            throw maker.settings.error(
                    command.key, command.key + "=" + value + " is invalid, must eval to a non-negative integer.");
        }
        maker.ad.put(command.attribute, number);
    }
}
