using ConsPerf;
using NIProvPerf;
using PerfCommon;
using PerfCommon.Transport;
using PerfTools.Hosting.Options;
using ProvPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>What an EMA configuration fills in, and what wins over it.</summary>
public sealed class EmaConfigFileTests : IDisposable
{
    private const string Text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <EmaConfig>
          <ConsumerGroup>
            <DefaultConsumer value="Perf_Consumer_2"/>
            <ConsumerList>
              <Consumer><Name value="Perf_Consumer_1"/><Channel value="Perf_Channel_1"/><Dictionary value="Dictionary_1"/></Consumer>
              <Consumer><Name value="Perf_Consumer_2"/><Channel value="Perf_Channel_2"/></Consumer>
            </ConsumerList>
          </ConsumerGroup>
          <NiProviderGroup><NiProviderList><NiProvider><Name value="P"/><Channel value="Perf_Channel_2"/></NiProvider></NiProviderList></NiProviderGroup>
          <IProviderGroup><IProviderList><IProvider><Name value="P"/><Server value="Perf_Server_1"/><Directory value="D"/></IProvider></IProviderList></IProviderGroup>
          <ChannelGroup>
            <ChannelList>
              <Channel>
                <Name value="Perf_Channel_1"/><ChannelType value="ChannelType::RSSL_ENCRYPTED"/><EncryptedProtocolType value="EncryptedProtocolType::RSSL_WEBSOCKET"/>
                <Host value="far"/><Port value="15000"/><InterfaceName value="lo"/><CompressionType value="CompressionType::ZLib"/>
                <GuaranteedOutputBuffers value="7"/><NumInputBuffers value="8"/><ConnectionPingTimeout value="30000"/><TcpNodelay value="0"/>
                <DirectWrite value="1"/><HighWaterMark value="9"/><SysSendBufSize value="10"/><SysRecvBufSize value="11"/><WsProtocols value="rssl.rwf"/><Odd value="1"/>
              </Channel>
              <Channel><Name value="Perf_Channel_2"/><Host value="near"/><WsProtocols value="rssl.rwf"/></Channel>
            </ChannelList>
          </ChannelGroup>
          <ServerGroup><ServerList><Server>
            <Name value="Perf_Server_1"/><ServerType value="ServerType::RSSL_SOCKET"/><Port value="16000"/><MaxFragmentSize value="1000"/>
          </Server></ServerList></ServerGroup>
        </EmaConfig>
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("ema").FullName;

    private string File => Path.Combine(_folder, "EmaConfig.xml");

    public EmaConfigFileTests() => System.IO.File.WriteAllText(File, Text);

    [Fact]
    public void Consumer_NamedSection_FillsInEverythingThatIsKnown()
    {
        ConnectionOptions connection = Consumer("-consumerName Perf_Consumer_1").Connection;
        ConnectOptions client = connection.Client;
        Assert.Equal((ConnectionKind.Encrypted, ConnectionKind.WebSocket), (connection.Kind, connection.InsideTls));
        Assert.Equal(("far", 15000, "lo", CompressionType.Zlib), (client.Host, client.Port, client.InterfaceName, client.CompressionType));
        Assert.Equal((7, 8, 30, true, true),
            (client.OutputBuffers, client.InputBuffers, client.PingTimeoutSeconds, client.TcpDelay, client.DirectWrite));
        Assert.Equal((9, 10, 11), (client.HighWaterMark, client.SendBufferBytes, client.ReceiveBufferBytes));
    }

    [Fact]
    public void Consumer_WhatIsNotUsed_IsNamedInOneLine() =>
        Assert.Equal([$"{File}: not used: Dictionary, Odd"], Consumer("-consumerName Perf_Consumer_1").Session.Notes);

    [Fact]
    public void Consumer_ExplicitOptions_Win()
    {
        ConnectOptions client = Consumer("-consumerName Perf_Consumer_1 -h here -outputBufs 20 -tcpDelay false").Connection.Client;
        Assert.Equal(("here", 15000, 20, false), (client.Host, client.Port, client.OutputBuffers, client.TcpDelay));
    }

    [Fact]
    public void DefaultSection_IsTakenWithoutAName()
    {
        ConsPerfOptions options = Consumer("");
        Assert.Equal(("near", 14002, 5000),
            (options.Connection.Client.Host, options.Connection.Client.Port, options.Connection.Client.OutputBuffers));
        Assert.Equal([$"{File}: not used: WsProtocols"], options.Session.Notes); // of a socket
    }

    [Fact]
    public void Providers_HaveSectionsOfTheirOwn()
    {
        NIProvPerfOptions publisher = NIProvPerfOptionTable.Instance.ParseWithFile(["-emaConfig", File]).Options!;
        ProvPerfOptions provider = ProvPerfOptionTable.Instance.ParseWithFile(["-emaConfig", File, "-providerName", "P"]).Options!;
        Assert.Equal(("near", 14003), (publisher.Connection.Client.Host, publisher.Connection.Client.Port));
        Assert.Equal((16000, 1000), (provider.Connection.Server.Port, provider.Connection.Server.MaxFragmentSize));
    }

    [Theory]
    [InlineData("-consumerName Nobody", "", "", "there is no Consumer \"Nobody\" in ConsumerGroup")]
    [InlineData("", "value=\"near\"", "value=\"near\"/><Port value=\"x\"", "(20): Port \"x\" is not a whole number of 0 or more")]
    [InlineData("", "<Host value=\"near\"/>", "<ChannelType value=\"ChannelType::RSSL_PIGEON\"/>",
        "is not RSSL_SOCKET, RSSL_ENCRYPTED or RSSL_WEBSOCKET")]
    [InlineData("", "<EmaConfig>", "<!DOCTYPE x><EmaConfig>", "DTD")]
    [InlineData("", "</EmaConfig>", "", "EmaConfig")]
    public void File_ThatCannotBeUsed_IsNamed(string options, string from, string to, string expected)
    {
        System.IO.File.WriteAllText(File, from.Length == 0 ? Text : Text.Replace(from, to, StringComparison.Ordinal));
        SetupException problem = Assert.Throws<SetupException>(() => Consumer(options));
        Assert.StartsWith(File, problem.Message, StringComparison.Ordinal);
        Assert.Contains(expected, problem.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(32, null)]
    [InlineData(33, "(1): <a> is more than 32 elements deep")]
    [InlineData(500_000, "(1): <a> is more than 32 elements deep")] // a tree of it would be entered 125 billion steps up
    public void File_NestedDeeply_IsRefusedWithoutATreeOfIt(int depth, string? expected)
    {
        string nested = string.Concat(Enumerable.Repeat("<a>", depth)) + string.Concat(Enumerable.Repeat("</a>", depth));
        System.IO.File.WriteAllText(File, nested);
        SetupException problem = Assert.Throws<SetupException>(() => Consumer(""));
        Assert.Equal(SetupProblem.InputFile, problem.Problem);
        Assert.Equal(File + (expected ?? ": there is no Consumer in ConsumerGroup"), problem.Message);
    }

    [Fact]
    public void File_OfFourMegabytes_IsRefusedWithoutMoreOfIt()
    {
        using (FileStream file = System.IO.File.Create(File))
            file.SetLength(1L << 40); // sparse
        long before = GC.GetAllocatedBytesForCurrentThread();
        SetupException problem = Assert.Throws<SetupException>(() => Consumer(""));
        Assert.Equal($"{File}: cannot be read: more than 4194304 bytes", problem.Message);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 32 << 20);
    }

    [Fact]
    public void Program_FileThatIsMissing_EndsWithThree()
    {
        using StringWriter output = new(), error = new();
        Assert.Equal(3, Program(["-emaConfig", Path.Combine(_folder, "none.xml")], output, error));
        Assert.StartsWith("ConsPerf: ", $"{error}", StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static int Program(string[] args, TextWriter output, TextWriter error) => PerfTools.Hosting.Running.ToolProgram.Run(
        "ConsPerf", () => ConsPerfOptionTable.Instance, args, output, error, (_, _) => throw new InvalidOperationException("it ran"));

    private ConsPerfOptions Consumer(string options) =>
        ConsPerfOptionTable.Instance.ParseWithFile([.. options.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-emaConfig",
            File]).Options!;
}
