using System.Diagnostics;
using System.Xml.Linq;
using ConsPerf;
using NIProvPerf;
using PerfCommon.Transport;
using PerfTools.Editions;
using ProvPerf;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Editions;

/// <summary>The texts that programs of other editions print and read.</summary>
public sealed class EditionTextTests : IDisposable
{
    // Two threads: the sections of each, then those of both.
    private static readonly string[] Summary =
    [
        "--- TEST INPUTS ---", "  Steady State Time: 7 sec", "--- CLIENT 1 SUMMARY ---", "Steady State Statistics:",
            "  Avg update rate: 10", "Test Statistics:",
        "  Updates received: 89460", "--- OVERALL SUMMARY ---", "", "Startup State Statistics:", "  Avg update rate: 7.5", "Steady State Statistics:",
        "  Sampling duration (sec): 6.500", "  Avg update rate: 49997.5", "Overall Statistics:", "  CPU Usage avg (%%): 6.7", "Test Statistics:",
        "  Updates received: 178640", "  Avg image Rate: -0.0", "  Requests sent: many",
    ];

    private readonly TestFolder _folder = new();

    private string File => _folder.PathOf(EmaConfig.FileName);

    [Theory]
    [InlineData("Config Error: Unrecognized option: -help\nRun './ConsPerf -?' to see usage.", Edition.C)]
    [InlineData("Usage: ConsPerf <Options>\nValid Options:\n -busyRead Default is:false", Edition.Java)]
    [InlineData("Usage:   <Options>\nValid Options:\n -x Default is:False", Edition.CSharp)]
    [InlineData("Usage: emajConsPerf <Options>\n -x Default is:false", Edition.EmaJava)]
    [InlineData("Usage:\n  ConsPerf [options]\n  -jsonFile <file>", Edition.Ours)]
    [InlineData("ls: unrecognized option", null)]
    [InlineData("", null)]
    internal void Recognize_AnAnswer_TellsWhose(string answer, Edition? expected) => Assert.Equal(expected, EditionProbe.Recognize(answer));

    [Theory]
    [InlineData("/opt/ema-cpp/ConsPerf -x", Edition.EmaCpp)]
    [InlineData("EmaCppConsPerf", Edition.EmaCpp)]
    [InlineData("dotnet /opt/EMA_CSharp/ConsPerf.dll", Edition.EmaCSharp)]
    [InlineData("/opt/Ema/C#/ConsPerf", Edition.EmaCSharp)]
    [InlineData("/opt/eta/Cpp/ConsPerf", null)]
    [InlineData("java -cp /opt/ema/lib/x.jar ConsPerf", null)]
    [InlineData("/opt/schema/cpp/ConsPerf", null)]
    internal void FindByName_Words_TellWhatAnswersDoNot(string command, Edition? expected) =>
        Assert.Equal(expected, EditionProbe.FindByName(ToolCommand.TryParse(command)!));

    [Fact]
    public void Parse_SummaryOfThreads_TakesThatOfAll()
    {
        EditionSummary summary = EditionSummary.Parse(Summary);
        Assert.True(summary.Exists);
        Assert.Equal(178640, summary.Find("Updates received"));
        Assert.Equal(49997.5, summary.FindIn("Steady State", "Avg update rate"));
        Assert.Equal(6.5, summary.FindIn("Steady State", "sampling duration(sec)"));
        Assert.Equal(6.7, summary.Find("CPU Usage avg (%)"));
        Assert.Equal(0, summary.Find("Avg image rate"));
        Assert.Null(summary.Find("Requests sent")); // no number
        Assert.Null(summary.Find("Posts sent"));
        Assert.Null(summary.Find("Steady State Time")); // an input
    }

    [Fact]
    public void Parse_OnlyInputs_HasNoFigures() => Assert.False(EditionSummary.Parse(Summary[..2]).Exists);

    [Theory]
    [InlineData("a\nERROR: TEST FAILED\n  Error: Failed to receive all images within 7 seconds.", "Error: Failed to receive all images within 7 seconds.")]
    [InlineData("ERROR: TEST FAILED", "ERROR: TEST FAILED")]
    [InlineData("Steady state was not reached during this test.", "Steady state was not reached during this test.")]
    [InlineData("Config Error: Unrecognized option: -x", "Config Error: Unrecognized option: -x")]
    [InlineData("Error loading command line arguments:\nUnknown option", "Error loading command line arguments:")]
    [InlineData("Steady state time of 7 seconds has expired.", null)]
    public void Find_Sentences_NamesTheFault(string console, string? expected) => Assert.Equal(expected, EditionFaults.Find(console.Split('\n')));

    [Fact]
    public void Window_Lines_BeginsWithTheImagesAndEndsWithTheTime()
    {
        EditionWindow window = new();
        window.Receive("Connected.", 1);
        Assert.Null(window.From);
        window.Receive("001: Images: 10, UpdRate: 5", 2);
        Assert.Equal(2, window.From);
        window.Receive("  - Image retrieval time for 10 images: 0.1s (100 images/s)", 3);
        window.Receive("002: Images: 0", 4);
        window.Receive("Steady-state time of 3 seconds has expired.", 5);
        window.Receive("  Image retrieval time (sec): 0.100", 6);
        window.Receive("Run time of 3 seconds has expired.", 7);
        Assert.Equal((3L, 5L), (window.From, window.To));
    }

    [Fact]
    public void EmaConfig_OfAProvider_IsReadByWhoReadsSuchFiles()
    {
        EmaConfig.Write(_folder.FullPath, "ProvPerf", ["-serviceName", "ELEKTRON", "-compressionType", "lz4", "-outputBufs", "77"], 4711);
        ProvPerfOptions options = ProvPerfOptionTable.Instance.ParseWithFile(["-emaConfig", File]).Options!;
        Assert.Equal(77, options.Connection.Server.OutputBuffers);
        Assert.Equal((4711, CompressionType.Lz4, "ELEKTRON"), (options.Connection.Server.Port, options.Connection.Server.CompressionType, options.ServiceName));
    }

    [Fact]
    public void EmaConfig_OfWhoConnects_HasOneOfEachThread()
    {
        EmaConfig.Write(_folder.FullPath, "ConsPerf", ["-h", "10.1.2.3", "-p", "99", "-threads", "2"], null);
        ConsPerfOptions consumer = ConsPerfOptionTable.Instance.ParseWithFile(["-emaConfig", File, "-consumerName", "Perf_Consumer_2"]).Options!;
        Assert.Equal(("10.1.2.3", 99, $"./{EditionFolder.Dictionaries[0]}"),
            (consumer.Connection.Client.Host, consumer.Connection.Client.Port, consumer.Session.FieldDictionary));
        EmaConfig.Write(_folder.FullPath, "NIProvPerf", ["-h", "10.1.2.3", "-p", "99", "-serviceName", "FEED"], null);
        NIProvPerfOptions publisher = NIProvPerfOptionTable.Instance.ParseWithFile(["-emaConfig", File]).Options!;
        Assert.Equal(("10.1.2.3", 99, "FEED"), (publisher.Connection.Client.Host, publisher.Connection.Client.Port, publisher.ServiceName));
    }

    /// <summary>The names are those that the EMA tools look for by default.</summary>
    [Theory]
    [InlineData("ConsPerf", "Consumer", "Perf_Consumer_", "Perf_Channel_", "Dictionary", "Dictionary_1")]
    [InlineData("NIProvPerf", "NiProvider", "Perf_NIProvider_", "Perf_NIP_Channel_", "Directory", "Perf_Directory_1")]
    public void EmaConfig_OfWhoConnects_HasTheNamesOfItsKind(string tool, string group, string prefix, string channel, string source, string sourceName)
    {
        EmaConfig.Write(_folder.FullPath, tool, ["-h", "10.1.2.3", "-p", "99", "-threads", "2"], null);
        XElement config = XDocument.Load(File).Root!;
        Assert.Equal(prefix + 1, config.Element(group + "Group")!.Element("Default" + group)!.Attribute("value")!.Value);
        XElement[] clients = [.. config.Element(group + "Group")!.Element(group + "List")!.Elements(group)];
        Assert.Equal([(prefix + 1, channel + 1, sourceName), (prefix + 2, channel + 2, sourceName)],
            clients.Select(client => (ValueOf(client, "Name"), ValueOf(client, "Channel"), ValueOf(client, source))));
        Assert.Equal([channel + 1, channel + 2],
            config.Element("ChannelGroup")!.Element("ChannelList")!.Elements("Channel").Select(one => ValueOf(one, "Name")));

        static string ValueOf(XElement part, string name) => part.Element(name)!.Attribute("value")!.Value;
    }

    [Fact]
    public void Folder_OfData_ComesBeforeOurs()
    {
        Directory.CreateDirectory(_folder.PathOf("data/etc"));
        System.IO.File.WriteAllText(_folder.PathOf("data/MsgData.xml"), "theirs");
        System.IO.File.WriteAllText(_folder.PathOf("data/etc/enumtype.def"), "theirs, too");
        EditionFolder.Create(_folder.PathOf("work"), _folder.PathOf("data"));
        Assert.Equal("theirs", System.IO.File.ReadAllText(_folder.PathOf("work/MsgData.xml")));
        Assert.Equal("theirs, too", System.IO.File.ReadAllText(_folder.PathOf("work/etc/enumtype.def")));
        Assert.Equal("theirs, too", System.IO.File.ReadAllText(_folder.PathOf("work/enumtype.def")));
        Assert.True(System.IO.File.Exists(_folder.PathOf("work/350k.xml")) && System.IO.File.Exists(_folder.PathOf("work/etc/RDMFieldDictionary")));
    }

    [Fact]
    public void Folder_LargeInput_IsLinkedAndASmallOneCopied()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "links need a privilege");
        Directory.CreateDirectory(_folder.PathOf("data"));
        System.IO.File.WriteAllBytes(_folder.PathOf("data/350k.xml"), new byte[(1024 * 1024) + 1]);
        System.IO.File.WriteAllBytes(_folder.PathOf("data/MsgData.xml"), new byte[1024 * 1024]);
        EditionFolder.Create(_folder.PathOf("work"), _folder.PathOf("data"));
        Assert.Equal((_folder.PathOf("data/350k.xml"), null),
            (new FileInfo(_folder.PathOf("work/350k.xml")).LinkTarget, new FileInfo(_folder.PathOf("work/MsgData.xml")).LinkTarget));
    }

    /// <summary>Words of a count are the label of the program's summary, which begins with a small letter in a sentence.</summary>
    [Theory]
    [InlineData("ConsPerf", "counts.requestsSent", "requests sent")]
    [InlineData("ProvPerf", "counts.imagesSent", "images sent")]
    [InlineData("TransportPerf", "counts.messagesReceived", "msgs Received")]
    public void Figures_OfACount_HaveTheWordsOfItsLabel(string tool, string name, string words) =>
        Assert.Equal(words, EditionFigures.Of(tool).Single(figure => figure.Facts.Name == name).Facts.Words);

    [Fact]
    public void Probe_ProgramThatNeverAnswers_IsEnded()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "no sleep");
        long began = Stopwatch.GetTimestamp();
        Assert.Null(EditionProbe.Query(new ToolCommand(["sh", "-c", "sleep 100"]), _folder.FullPath, out string answer));
        Assert.Equal("", answer);
        Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0, 60);
    }

    [Fact]
    public void Locate_Paths_BecomeWholeAndMissingOnesAreNamed()
    {
        Assert.Equal("/no/such: no such file", Locate("/no/such -x"));
        Assert.Equal("nosuchprogram: no such program on the PATH", Locate("nosuchprogram"));
        string here = Path.GetRelativePath(Directory.GetCurrentDirectory(), typeof(EditionTextTests).Assembly.Location);
        ToolCommand command = new ToolCommand(["dotnet", "./" + here, "-x"]).Locate(out string? problem);
        Assert.Null(problem);
        Assert.Equal(typeof(EditionTextTests).Assembly.Location, command.Words[1]);

        static string? Locate(string text)
        {
            ToolCommand.TryParse(text)!.Locate(out string? problem);
            return problem;
        }
    }

    public void Dispose() => _folder.Dispose();
}
