using System.Globalization;
using ConsPerf;
using NIProvPerf;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Running;
using ProvPerf;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Programs configured by an EMA configuration: they do what it says.</summary>
public class EmaConfigRunTests
{
    private const string ProvidersLine = "Listening for providers on port ";
    private const string Session = "-emaConfig Ema.xml";
    private const string Consumed = "-serviceName EMA_FEED -steadyStateTime 600 -writeStatsInterval 1";

    // The server speaks what the channel asks for first of what is spoken here; the dictionary is the provider's own.
    [Theory]
    [InlineData("RSSL_SOCKET", "")]
    [InlineData("RSSL_WEBSOCKET", "rssl.json.v2, rssl.rwf, tr_json2")]
    public void Consumer_OfADirectoryAndADictionary_GetsItsServiceByBoth(string connection, string protocols)
    {
        using RunFolder folder = new();
        WriteDictionaries(folder);
        folder.Write("Ema.xml", Configuration(folder, connection, protocols, maxDispatch: 1));
        RunningTool provider = folder.Start("ProvPerf", $"-p 0 -updateRate 5000 -jsonFile prov.json {Session}");
        RunningTool consumer = folder.Start("ConsPerf",
            $"-p {provider.Port} -itemCount 300 -jsonFile cons.json {Consumed} {Session}");
        consumer.WaitForSteadyState();
        RunFolder.End(consumer, provider);

        Assert.Equal(300, folder.Final("cons.json").Count("refreshesReceived"));
        Assert.Equal(folder.Final("prov.json").Count("updatesSent"), folder.Final("cons.json").Count("updatesReceived"));
        Assert.Contains("Received Dictionary Request", provider.Output, StringComparison.Ordinal);
        Assert.Contains("Service ID: 70", provider.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Publisher_OfADirectory_HasItsServiceInTheHub()
    {
        using RunFolder folder = new();
        WriteDictionaries(folder);
        folder.Write("Ema.xml", Configuration(folder, "RSSL_SOCKET", "", maxDispatch: 1));
        RunningTool hub = folder.Start("HubPerf", "-p 0 -niPort 0");
        string port = hub.WaitForLine(ProvidersLine)[ProvidersLine.Length..];
        RunningTool publisher = folder.Start("NIProvPerf", $"-p {port} -itemCount 100 -updateRate 5000 -runTime 600 {Session}");
        publisher.WaitForLine(" images (total: 100)");
        RunningTool consumer = folder.StartConsumer(hub, $"-itemCount 100 {Consumed}");
        consumer.WaitForSteadyState();
        RunFolder.End(consumer, publisher, hub);

        Assert.Equal(100, folder.Final("cons.json").Count("refreshesReceived"));
        Assert.Contains("Service ID: 70", publisher.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ProvPerf", "-p 0")]
    [InlineData("NIProvPerf", "")]
    public void Provider_OfADictionaryThatIsMissing_EndsWithItsName(string tool, string options)
    {
        using RunFolder folder = new();
        folder.Write("Ema.xml", Configuration(folder, "RSSL_SOCKET", "", maxDispatch: 1));
        folder.Start(tool, $"{options} {Session}").ExpectExit(3, "fields");
    }

    [Fact]
    public void MaxDispatchCounts_OfEachTool_AreTheTurnsOfItsWorkers()
    {
        using RunFolder folder = new();
        WriteDictionaries(folder);
        string file = folder.PathOf(folder.Write("Ema.xml", Configuration(folder, "RSSL_SOCKET", "", maxDispatch: 7)));
        using ConsPerfRole consumer = ConsPerfRole.Create(Options(ConsPerfOptionTable.Instance, file, "-itemCount", "10"));
        using ProvPerfRole provider = ProvPerfRole.Create(Options(ProvPerfOptionTable.Instance, file, "-p", "0"));
        using NIProvPerfRole publisher = NIProvPerfRole.Create(Options(NIProvPerfOptionTable.Instance, file, "-itemCount", "10"));
        using ConsPerfRole dispatched = ConsPerfRole.Create(
            Options(ConsPerfOptionTable.Instance, file, "-itemCount", "10", "-reactor", "-useUserDispatch"));

        Assert.All(new ToolRole[] { consumer, provider, publisher }, role => Assert.Equal(7, role.Workers[0].Options.MaxMessagesPerTurn));
        Assert.Equal(8, dispatched.Workers[0].Options.MaxMessagesPerTurn);
    }

    private static T Options<T>(OptionTable<T> table, string file, params string[] words)
        where T : class => table.ParseWithFile([.. words, "-emaConfig", file]).Options!;

    private static void WriteDictionaries(RunFolder folder)
    {
        folder.Take("RDMFieldDictionary", name: "fields");
        folder.Take("enumtype.def", name: "enums");
    }

    private static string Configuration(RunFolder folder, string connection, string protocols, int maxDispatch)
    {
        string wsProtocols = protocols.Length == 0 ? "" : $"<WsProtocols value=\"{protocols}\"/>";
        string limits = string.Create(CultureInfo.InvariantCulture,
            $"<MaxDispatchCountApiThread value=\"{maxDispatch}\"/><MaxDispatchCountUserThread value=\"{maxDispatch + 1}\"/>");
        return $"""
            <EmaConfig>
              <ConsumerGroup><ConsumerList><Consumer>
                <Name value="C"/><Channel value="Ch"/><Dictionary value="OfTheProvider"/>{limits}
              </Consumer></ConsumerList></ConsumerGroup>
              <NiProviderGroup><NiProviderList><NiProvider>
                <Name value="N"/><Channel value="ToTheHub"/><Directory value="D"/>{limits}
              </NiProvider></NiProviderList></NiProviderGroup>
              <IProviderGroup><IProviderList><IProvider>
                <Name value="P"/><Server value="S"/><Directory value="D"/>{limits}
              </IProvider></IProviderList></IProviderGroup>
              <ChannelGroup><ChannelList>
                <Channel><Name value="Ch"/><ChannelType value="ChannelType::{connection}"/><Host value="localhost"/>{wsProtocols}</Channel>
                <Channel><Name value="ToTheHub"/><ChannelType value="ChannelType::RSSL_SOCKET"/><Host value="localhost"/></Channel>
              </ChannelList></ChannelGroup>
              <ServerGroup><ServerList>
                <Server><Name value="S"/><ServerType value="ServerType::{connection}"/>{wsProtocols}</Server>
              </ServerList></ServerGroup>
              <DirectoryGroup><DirectoryList><Directory><Name value="D"/><Service>
                <Name value="EMA_FEED"/>
                <InfoFilter>
                  <ServiceId value="70"/>
                  <Capabilities><CapabilitiesEntry value="MMT_DICTIONARY"/><CapabilitiesEntry value="MMT_MARKET_PRICE"/></Capabilities>
                  <DictionariesProvided><DictionariesProvidedEntry value="Files"/></DictionariesProvided>
                </InfoFilter>
              </Service></Directory></DirectoryList></DirectoryGroup>
              <DictionaryGroup><DictionaryList>
                <Dictionary><Name value="OfTheProvider"/><DictionaryType value="DictionaryType::ChannelDictionary"/></Dictionary>
                <Dictionary>
                  <Name value="Files"/><DictionaryType value="DictionaryType::FileDictionary"/>
                  <RdmFieldDictionaryFileName value="{folder.PathOf("fields")}"/><EnumTypeDefFileName value="{folder.PathOf("enums")}"/>
                </Dictionary>
              </DictionaryList></DictionaryGroup>
            </EmaConfig>
            """;
    }
}
