using ConsPerf;
using NIProvPerf;
using PerfCommon;
using PerfCommon.Transport;
using PerfTools.Hosting.Options;
using ProvPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>The options that an EMA configuration sets, and those that take precedence over it.</summary>
public sealed class EmaConfigFileTests : IDisposable
{
    private const string Text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <EmaConfig>
          <ConsumerGroup>
            <DefaultConsumer value="Perf_Consumer_2"/>
            <ConsumerList>
              <Consumer>
                <Name value="Perf_Consumer_1"/><Channel value="Perf_Channel_1"/><Dictionary value="Dictionary_1"/>
                <MaxDispatchCountApiThread value="70"/><MaxDispatchCountUserThread value="80"/>
              </Consumer>
              <Consumer><Name value="Perf_Consumer_2"/><Channel value="Perf_Channel_2"/></Consumer>
            </ConsumerList>
          </ConsumerGroup>
          <NiProviderGroup><NiProviderList><NiProvider>
            <Name value="P"/><Channel value="Perf_Channel_2"/><Directory value="D"/>
          </NiProvider></NiProviderList></NiProviderGroup>
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
          <DirectoryGroup>
            <DefaultDirectory value="D"/>
            <DirectoryList>
              <Directory><Name value="Other"/><Service><Name value="OTHER_FEED"/></Service></Directory>
              <Directory>
                <Name value="D"/>
                <Service>
                  <Name value="EMA_FEED"/>
                  <InfoFilter>
                    <ServiceId value="70"/>
                    <Capabilities>
                      <CapabilitiesEntry value="MMT_DICTIONARY"/><CapabilitiesEntry value="MMT_MARKET_PRICE"/>
                      <CapabilitiesEntry value="7"/><CapabilitiesEntry value="MMT_YIELD_CURVE"/>
                    </Capabilities>
                    <DictionariesProvided><DictionariesProvidedEntry value="Dictionary_2"/></DictionariesProvided>
                    <ItemList value="#.itemlist"/>
                  </InfoFilter>
                  <StateFilter><ServiceState value="1"/></StateFilter>
                </Service>
              </Directory>
            </DirectoryList>
          </DirectoryGroup>
          <DictionaryGroup>
            <DictionaryList>
              <Dictionary><Name value="Dictionary_1"/><DictionaryType value="DictionaryType::ChannelDictionary"/></Dictionary>
              <Dictionary>
                <Name value="Dictionary_2"/><DictionaryType value="DictionaryType::FileDictionary"/>
                <RdmFieldDictionaryFileName value="./fields"/><EnumTypeDefFileName value="./enums"/><RdmFieldDictionaryItemName value="RWFFld"/>
              </Dictionary>
            </DictionaryList>
          </DictionaryGroup>
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
        Assert.Equal([$"{File}: not used: Odd"], Consumer("-consumerName Perf_Consumer_1").Session.Notes);

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

    [Fact]
    public void Consumer_ChannelDictionary_IsDownloadedEvenBesideFiles()
    {
        Assert.True(Consumer("-consumerName Perf_Consumer_1").Session.DownloadsDictionary);
        Assert.False(Consumer("").Session.DownloadsDictionary);
    }

    [Fact]
    public void Consumer_FileDictionary_NamesBothFilesUnlessOptionsDo()
    {
        Write("Dictionary value=\"Dictionary_1\"", "Dictionary value=\"Dictionary_2\"");
        SessionOptions session = Consumer("-consumerName Perf_Consumer_1").Session;
        Assert.Equal(("./fields", "./enums", false), (session.FieldDictionary, session.EnumDictionary, session.DownloadsDictionary));
        Assert.Equal([$"{File}: not used: Odd, RdmFieldDictionaryItemName"], session.Notes);
        Assert.Equal(("mine", "./enums"),
            Consumer("-consumerName Perf_Consumer_1 -fieldDict mine").Session is var given ? (given.FieldDictionary, given.EnumDictionary) : default);
    }

    [Theory]
    [InlineData("", 70)]
    [InlineData(" -reactor -useUserDispatch", 80)]
    public void MaxDispatchCounts_AreThoseOfTheThreadThatDispatches(string options, int expected) =>
        Assert.Equal(expected, Consumer($"-consumerName Perf_Consumer_1{options}").Session.MaxDispatch);

    [Fact]
    public void MaxDispatchCounts_LeftOut_SetNoLimit() => Assert.Null(Consumer("").Session.MaxDispatch);

    [Fact]
    public void Providers_Directory_GivesTheServiceItsNameIdDomainsAndDictionary()
    {
        ProvPerfOptions provider = Provider("");
        Assert.Equal(("EMA_FEED", 70), (provider.ServiceName, provider.ServiceId));
        Assert.Equal<byte>([5, 6, 7], provider.Capabilities!);
        Assert.Equal(("./fields", "./enums"), (provider.Session.FieldDictionary, provider.Session.EnumDictionary));
        Assert.Equal([$"{File}: not used: StateFilter, ItemList, Capabilities MMT_YIELD_CURVE, RdmFieldDictionaryItemName"],
            provider.Session.Notes);

        NIProvPerfOptions publisher = Publisher("");
        Assert.Equal(("EMA_FEED", 70), (publisher.ServiceName, publisher.ServiceId));
        Assert.Equal(provider.Capabilities, publisher.Capabilities!);
    }

    [Fact]
    public void Providers_Directory_StandsBelowWhatIsGiven()
    {
        ProvPerfOptions provider = Provider("-serviceName MINE -serviceId 8");
        Assert.Equal(("MINE", 8), (provider.ServiceName, provider.ServiceId));
        NIProvPerfOptions publisher = Publisher("-serviceName MINE -useServiceId -serviceId 8");
        Assert.Equal(("MINE", 8), (publisher.ServiceName, publisher.ServiceId));
    }

    [Theory]
    [InlineData("<StateFilter><ServiceState value=\"1\"/></StateFilter>", "</Service><Service><Name value=\"2ND\"/>", "Service 2ND, ItemList",
        "RdmField")]
    [InlineData("Entry value=\"Dictionary_2\"/>", "Entry value=\"Dictionary_2\"/><DictionariesProvidedEntry value=\"Dictionary_1\"/>",
        "StateFilter, ItemList", "DictionariesProvided Dictionary_1, RdmField")]
    [InlineData("<ServiceId value=\"70\"/>", "<ServiceId value=\"65535\"/>", "StateFilter, ItemList", "RdmField", 65_535)]
    public void Providers_FurtherServicesAndDictionaries_AreNamed(string from, string to, string before, string after, int id = 70)
    {
        Write(from, to);
        ProvPerfOptions provider = Provider("");
        Assert.Equal(("EMA_FEED", id, "./fields"), (provider.ServiceName, provider.ServiceId, provider.Session.FieldDictionary));
        Assert.Equal([$"{File}: not used: {before}, Capabilities MMT_YIELD_CURVE, {after}DictionaryItemName"], provider.Session.Notes);
    }

    [Theory]
    [InlineData("rssl.json.v2, rssl.rwf, tr_json2")]
    [InlineData("rssl.rwf")]
    [InlineData("tr_json2,rssl.rwf")]
    public void WsProtocols_OfSeveral_TheFirstThatIsSpokenIsTaken(string list)
    {
        Write("<WsProtocols value=\"rssl.rwf\"/><Odd value=\"1\"/>", $"<WsProtocols value=\"{list}\"/>");
        ConsPerfOptions options = Consumer("-consumerName Perf_Consumer_1");
        Assert.Equal("rssl.rwf", options.Connection.PreferredProtocols);
        Assert.Empty(options.Session.Notes);
    }

    [Fact]
    public void InterfaceName_Empty_IsTheDefaultAndShownSo()
    {
        Write("InterfaceName value=\"lo\"", "InterfaceName value=\"\"");
        ConsPerfOptions options = Consumer("-consumerName Perf_Consumer_1");
        Assert.Null(options.Connection.Client.InterfaceName);
        Assert.Contains(("Interface Name", "(use default)"), ConsPerfOptionTable.Instance.DescribeInputs(options));
    }

    [Theory]
    [InlineData("-consumerName Nobody", "", "", "there is no Consumer \"Nobody\" in ConsumerGroup")]
    [InlineData("", "value=\"near\"", "value=\"near\"/><Port value=\"x\"", "(25): Port \"x\" is not a whole number of 0 or more")]
    [InlineData("", "<Host value=\"near\"/>", "<ChannelType value=\"ChannelType::RSSL_PIGEON\"/>",
        "is not RSSL_SOCKET, RSSL_ENCRYPTED or RSSL_WEBSOCKET")]
    [InlineData("-consumerName Perf_Consumer_1", "<Dictionary value=\"Dictionary_1\"/>", "<Dictionary value=\"No\"/>",
        "there is no Dictionary \"No\" in DictionaryGroup")]
    [InlineData("-consumerName Perf_Consumer_1", "ChannelDictionary", "BookDictionary",
        "DictionaryType \"DictionaryType::BookDictionary\" is not ChannelDictionary or FileDictionary")]
    [InlineData("-consumerName Perf_Consumer_1", "<WsProtocols value=\"rssl.rwf\"/><Odd", "<WsProtocols value=\"tr_json2\"/><Odd",
        "WsProtocols \"tr_json2\" is not a list with rssl.rwf, the protocol that is spoken here")]
    [InlineData("-consumerName Perf_Consumer_1", "ApiThread value=\"70\"", "ApiThread value=\"0\"",
        "MaxDispatchCountApiThread \"0\" is not at least 1")]
    [InlineData("", "<EmaConfig>", "<!DOCTYPE x><EmaConfig>", "DTD")]
    [InlineData("", "</EmaConfig>", "", "EmaConfig")]
    public void File_ThatCannotBeUsed_IsNamed(string options, string from, string to, string expected)
    {
        Write(from, to);
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

    [Theory]
    [InlineData("<Directory value=\"D\"/>", "<Directory value=\"No\"/>", "there is no Directory \"No\" in DirectoryGroup")]
    [InlineData("<ServiceId value=\"70\"/>", "<ServiceId value=\"65536\"/>", "ServiceId \"65536\" is not at most 65535")]
    [InlineData("<Service><Name value=\"OTHER_FEED\"/></Service></Directory>", "</Directory>", "Directory \"Other\" has no Service")]
    public void Directory_ThatCannotBeUsed_IsNamed(string from, string to, string expected)
    {
        Write(from, to);
        if (expected.StartsWith("Directory", StringComparison.Ordinal))
        {
            System.IO.File.WriteAllText(File, System.IO.File.ReadAllText(File).Replace("<Directory value=\"D\"/>", "<Directory value=\"Other\"/>",
                StringComparison.Ordinal));
        }

        Assert.Contains(expected, Assert.Throws<SetupException>(() => Provider("")).Message, StringComparison.Ordinal);
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

    private void Write(string from, string to) =>
        System.IO.File.WriteAllText(File, from.Length == 0 ? Text : Text.Replace(from, to, StringComparison.Ordinal));

    private ProvPerfOptions Provider(string options) => ProvPerfOptionTable.Instance.ParseWithFile(Args(options)).Options!;

    private NIProvPerfOptions Publisher(string options) => NIProvPerfOptionTable.Instance.ParseWithFile(Args(options)).Options!;

    private string[] Args(string options) => [.. options.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-emaConfig", File];

    private ConsPerfOptions Consumer(string options) =>
        ConsPerfOptionTable.Instance.ParseWithFile(Args(options)).Options!;
}
