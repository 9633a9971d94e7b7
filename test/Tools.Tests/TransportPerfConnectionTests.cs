using System.Globalization;
using System.Text.Json;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests;

public sealed class TransportPerfConnectionTests
{
    private const string Server = "-p 0 -runTime 900 -jsonFile server.json -summaryFile server.out -statsFile server ";
    private const string Client =
        "-runTime 600 -writeStatsInterval 1 -appType client -jsonFile client.json -summaryFile client.out -statsFile client ";
    private const string Certificate = "-connType encrypted -cert server.pem -keyfile server.key ";

    [Theory]
    [InlineData("-connType websocket", "-connType websocket")]
    [InlineData("-websocket rssl.rwf -pack 20", "-websocket rssl.rwf -compressionType lz4")]
    [InlineData("-websocket tr_json2", "-websocket rssl.json.v2")]
    [InlineData("-websocket tr_json2,rssl.rwf -pack 20", "-websocket tr_json2 -pack 3 -msgSize 64")]
    [InlineData("-websocket tr_json2 -msgSize 20", "-websocket tr_json2 -jsonBody object -pack 4 -msgSize 123")]
    [InlineData("-websocket tr_json2 -jsonBody object -msgSize 64", "-websocket tr_json2 -pack 4 -msgSize 123")]
    [InlineData("-websocket tr_json2 -jsonBody object", "-websocket rssl.json.v2 -jsonBody object -pack 3")]
    public void Run_WebSocket_CountsTheSame(string serverOptions, string clientOptions) =>
        RunPair(Server + "-msgRate 5000 " + serverOptions, Client + "-msgRate 7000 -latencyMsgRate all " + clientOptions).Dispose();

    // At a rate that one processor compresses: the backlog of a higher one outlives the seconds in which an end is orderly.
    [Fact]
    public void Run_WebSocketOfLongCompressedMessages_CountsTheSame()
    {
        const string Kind = "-websocket tr_json2 -compressionType zlib";
        RunPair($"{Server}-msgRate 1000 {Kind}", $"{Client}-msgRate 1200 -latencyMsgRate all -msgSize 9000 {Kind}").Dispose();
    }

    [Theory]
    [InlineData("-websocket tr_json2", "-websocket tr_json2 -pack 5")]
    [InlineData("-websocket tr_json2", "-websocket tr_json2 -jsonBody object -pack 5 -msgSize 123")]
    [InlineData("-websocket rssl.rwf", "-websocket rssl.rwf -pack 5")]
    public void Run_WebSocketReflection_ReturnsEverything(string serverOptions, string clientOptions) =>
        RunPair(Server + "-reflectMsgs " + serverOptions, Client + "-msgRate 5000 " + clientOptions).Dispose();

    [Theory]
    [InlineData("", "-castore ca.pem")]
    [InlineData("-spTLSv1.2", "-castore ca.pem")]
    [InlineData("", "-insecureSkipCertCheck -spTLSv1.3 -pack 10")]
    [InlineData("-websocket tr_json2", "-castore ca.pem -websocket tr_json2")]
    [InlineData("-encryptedConnectionType websocket", "-castore ca.pem -encryptedConnectionType websocket -compressionType zlib")]
    public void Run_Encrypted_CountsTheSame(string serverOptions, string clientOptions) =>
        RunPair(Server + Certificate + "-msgRate 5000 " + serverOptions,
            Client + "-connType encrypted -msgRate 5000 " + clientOptions).Dispose();

    [Fact]
    public void Run_UnknownAuthority_IsNotConnected()
    {
        using RunFolder folder = new();
        TestCertificates.WriteTo(folder);
        RunningTool server = folder.Start("TransportPerf", Server + Certificate);
        RunningTool client = folder.Start("TransportPerf", $"{Client}-connType encrypted -p {server.Port}");
        Assert.Equal(4, client.WaitForExit());
        Assert.StartsWith("TransportPerf: cannot connect: ", client.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_MissingCertificate_IsAnInputFile()
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start("TransportPerf", Server + Certificate);
        Assert.Equal(3, server.WaitForExit());
        Assert.Contains("server.pem", server.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_InsecureClient_SaysSoInTheSummary()
    {
        using RunFolder folder = RunPair(
            Server + Certificate + "-msgRate 1000", Client + "-connType encrypted -insecureSkipCertCheck -msgRate 1000");
        Assert.Contains("Certificate check: off", File.ReadAllText(folder.PathOf("client.out")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "")]
    [InlineData(Certificate, "-connType encrypted -castore ca.pem")]
    public void Run_Proxy_CountsTheSame(string serverOptions, string clientOptions)
    {
        using TunnelProxy proxy = new();
        using RunFolder folder = RunPair(Server + "-msgRate 5000 " + serverOptions,
            string.Create(CultureInfo.InvariantCulture, $"{Client}-msgRate 5000 -proxy -ph 127.0.0.1 -pp {proxy.Port} {clientOptions}"));
        Assert.Equal(1, proxy.Tunnels);
    }

    private static RunFolder RunPair(string serverOptions, string clientOptions)
    {
        RunFolder folder = new();
        TestCertificates.WriteTo(folder);
        RunningTool server = folder.Start("TransportPerf", serverOptions);
        RunningTool client = folder.Start("TransportPerf", $"{clientOptions} -p {server.Port}");
        client.WaitForTraffic();
        RunFolder.End(client);
        Assert.Equal("TransportPerf: ended by SIGTERM\n", client.Error);
        server.ExpectExit(0);
        (JsonElement near, JsonElement far) = (folder.Final("client.json"), folder.Final("server.json"));
        Assert.Equal(near.Count("messagesSent"), far.Count("messagesReceived"));
        Assert.Equal(far.Count("messagesSent"), near.Count("messagesReceived"));
        Assert.True(near.Count("messagesReceived") > 0);
        return folder;
    }
}
