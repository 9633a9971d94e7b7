namespace Mutation;

/// <summary>A part of the sources, and the location of its tests.</summary>
/// <param name="Name">Name on the command line.</param>
/// <param name="Project">The project whose assembly is compiled with mutants.</param>
/// <param name="Sources">Beginnings of paths within the repository.</param>
/// <param name="TestProject">Folder of the test project, under test/.</param>
/// <param name="TestClasses">Beginnings of the full names of its test classes.</param>
internal sealed record Room(string Name, string Project, string[] Sources, string TestProject, string[] TestClasses)
{
    /// <summary>All rooms.</summary>
    public static Room[] All { get; } =
    [
        new("codec", "src/PerfCommon", ["src/PerfCommon/Codec/"], "PerfCommon.Tests",
            ["PerfCommon.Tests.Codec.", "PerfCommon.Tests.Domains.", "PerfCommon.Tests.MsgData.", "PerfCommon.Tests.ReaderMutationTests"]),
        new("frames", "src/PerfCommon", ["src/PerfCommon/Transport/Frames/"], "PerfCommon.Tests",
            ["PerfCommon.Tests.Transport.", "PerfCommon.Tests.Simulation.", "PerfCommon.Tests.ReaderMutationTests"]),
        new("workers", "src/PerfCommon", ["src/PerfCommon/Workers/"], "PerfCommon.Tests",
            ["PerfCommon.Tests.Workers.", "PerfCommon.Tests.Sessions.", "PerfCommon.Tests.Simulation."]),
        new("measurement", "src/PerfCommon", ["src/PerfCommon/Measurement/"], "PerfCommon.Tests",
            ["PerfCommon.Tests.Measurement.", "PerfCommon.Tests.Workers."]),
        new("sessions", "src/PerfCommon", ["src/PerfCommon/Sessions/", "src/PerfCommon/Subscriptions/", "src/PerfCommon/Reactor/"], "PerfCommon.Tests",
            ["PerfCommon.Tests.Sessions.", "PerfCommon.Tests.Subscriptions.", "PerfCommon.Tests.Reactor.", "PerfCommon.Tests.Simulation."]),
        new("channels", "src/PerfCommon",
            [
                "src/PerfCommon/Transport/Layers/", "src/PerfCommon/Transport/Network/", "src/PerfCommon/Transport/Opening/",
                "src/PerfCommon/Transport/Waiting/", "src/PerfCommon/Transport/Channel", "src/PerfCommon/Transport/Rssl",
            ],
            "PerfCommon.Tests", ["PerfCommon.Tests.Transport.", "PerfCommon.Tests.Simulation."])
        {
            Further = new("Tools.Tests", ["Tools.Tests.Clocks.KernelStamps", "Tools.Tests.Clocks.StampedDatagrams"]),
        },
        new("domains", "src/PerfCommon", ["src/PerfCommon/Domains/", "src/PerfCommon/MsgData/", "src/PerfCommon/Load/"], "PerfCommon.Tests",
            ["PerfCommon.Tests.Domains.", "PerfCommon.Tests.MsgData.", "PerfCommon.Tests.Load.", "PerfCommon.Tests.Sessions."]),
        new("running", "src/PerfTools.Hosting", ["src/PerfTools.Hosting/Control/", "src/PerfTools.Hosting/Running/"],
            "PerfCommon.Tests", ["PerfCommon.Tests.Hosting.", "PerfCommon.Tests.Workers.RunNotices"])
        {
            Further = new("Tools.Tests",
                [
                    "Tools.Tests.Control.Metrics", "Tools.Tests.Control.Setting", "Tools.Tests.PerfToolsTests.RunScreen", "Tools.Tests.Runs.HistogramFile",
                    "Tools.Tests.Runs.StartupWarmUp", "Tools.Tests.Users.RampVerdict", "Tools.Tests.Users.UserLimits",
                ]),
        },
        new("options", "src/PerfTools.Hosting", ["src/PerfTools.Hosting/CommandLine/", "src/PerfTools.Hosting/Options/"],
            "Tools.Tests",
            [
                "Tools.Tests.ConsPerfOptions", "Tools.Tests.EmaConfigFile", "Tools.Tests.HubPerfOptions", "Tools.Tests.NIProvPerfOptions",
                "Tools.Tests.Option", "Tools.Tests.ProvPerfOptions", "Tools.Tests.SenderOptions", "Tools.Tests.TransportPerfOptions",
                "Tools.Tests.UsersPerfOptions", "Tools.Tests.Pages.", "Tools.Tests.Control.Setting", "Tools.Tests.Users.StartFile",
                "Tools.Tests.Users.StepList",
            ])
        {
            Further = new("PerfCommon.Tests",
                ["PerfCommon.Tests.Hosting.CommandLine.", "PerfCommon.Tests.Hosting.Options.", "PerfCommon.Tests.Hosting.Running.ToolProgram"]),
        },
        new("reporting", "src/PerfTools.Hosting",
            ["src/PerfTools.Hosting/Reporting/", "src/PerfTools.Hosting/Telemetry/"],
            "Tools.Tests", ["Tools.Tests.Reports.", "Tools.Tests.Control.Metrics", "Tools.Tests.Telemetry.OtlpP"])
        {
            Further = new("PerfCommon.Tests", ["PerfCommon.Tests.Hosting.Reporting."]),
        },
        new("clocks", "src/PerfTools.Hosting", ["src/PerfTools.Hosting/Clocks/"], "Tools.Tests", ["Tools.Tests.Clocks."]),
        new("hub", "src/PerfHub", ["src/PerfHub/"], "Tools.Tests", ["Tools.Tests.PerfHubTests."]),
        new("results", "src/PerfTools.Results", ["src/PerfTools.Results/"], "Tools.Tests",
            ["Tools.Tests.PerfToolsTests.", "Tools.Tests.Users.", "Tools.Tests.LatencyTests.Round", "Tools.Tests.JudgementRowsTests"]),
        new("perftools", "tools/PerfTools", ["tools/PerfTools/"], "Tools.Tests",
            ["Tools.Tests.PerfToolsTests.", "Tools.Tests.Users.", "Tools.Tests.Control.Setting", "Tools.Tests.JudgementRowsTests"]),
        new("users", "tools/UsersPerf", ["tools/UsersPerf/"], "Tools.Tests",
            ["Tools.Tests.Users", "Tools.Tests.Control.Setting", "Tools.Tests.Reports.", "Tools.Tests.Pages."]),
        new("consumer", "tools/ConsPerf", ["tools/ConsPerf/"], "Tools.Tests",
            [
                "Tools.Tests.ConsPerf", "Tools.Tests.Consumer", "Tools.Tests.EmaConfig", "Tools.Tests.ImageClock", "Tools.Tests.OrderBook",
                "Tools.Tests.Reports.", "Tools.Tests.Pages.", "Tools.Tests.Runs.ConsumerRun", "Tools.Tests.Runs.MessageFileRun",
            ]),
        new("latency", "tools/LatencyPerf", ["tools/LatencyPerf/"], "Tools.Tests",
            ["Tools.Tests.LatencyTests.", "Tools.Tests.Reports.", "Tools.Tests.Pages."]),
        new("transport", "tools/TransportPerf", ["tools/TransportPerf/"], "Tools.Tests",
            ["Tools.Tests.TransportP", "Tools.Tests.TransportR", "Tools.Tests.TransportW", "Tools.Tests.Reports.", "Tools.Tests.Pages."]),
    ];

    /// <summary>Test classes of a further test project; null for none.</summary>
    public RoomTests? Further { get; init; }

    /// <summary>The test classes of each project.</summary>
    public IEnumerable<RoomTests> Tests => Further is null ? [new(TestProject, TestClasses)] : [new(TestProject, TestClasses), Further];

    /// <summary>True for a source of the room.</summary>
    /// <param name="path">Within the repository.</param>
    public bool HasSource(string path) => Sources.Any(start => path.StartsWith(start, StringComparison.Ordinal));
}

/// <summary>The tests of a room in one test project.</summary>
/// <param name="Project">Folder of the test project, under test/.</param>
/// <param name="Classes">Beginnings of the full names of its test classes.</param>
internal sealed record RoomTests(string Project, string[] Classes)
{
    // They start programs, which is slow: their defects are found by other tests, or do not count.
    private static readonly string[] Slow =
    [
        ".ClockRunTests", ".EditionRunTests", ".ExportRunTests", ".HistoryRunTests", ".LauncherTests", ".LiveDirectTests",
        ".MatrixRunTests", ".OddRelayTests", ".PipelineTests", ".RankPhasesTests", ".RankedRunTests", ".RankedScenarioTests", ".RankedSeriesTests",
        ".RankedToolTests", ".RanksWithoutFolderTests", ".ResamplingTests", ".RoundtripFaultTests", ".RoundtripMeasureTests", ".RoundtripRanksTests",
        ".RoundtripRunTests", ".RoundtripScenarioTests", ".RunDirectTests", ".RunExternalTests", ".RunHubTests", ".SpoiltResultsTests",
        ".StandingUsersSearchTests", ".StrangersOnLinksTests", ".ThreeRolesTests", ".UsersRunTests",
    ];

    /// <summary>True for a test class that may reach the room.</summary>
    public bool Has(string name) => Classes.Any(start => name.StartsWith(start, StringComparison.Ordinal)) &&
        !Slow.Any(end => name.EndsWith(end, StringComparison.Ordinal));
}
