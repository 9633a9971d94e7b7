using System.Globalization;
using System.Text.Json;
using PerfCommon.Transport.Tls;
using Xunit;

namespace Tools.Tests;

[Collection("processes")]
public sealed class TransportPerfConnectionTests
{
    private const string Server = "-p 0 -runTime 900 -jsonFile server.json -summaryFile server.out -statsFile server ";
    private const string Client =
        "-runTime 60 -writeStatsInterval 1 -appType client -jsonFile client.json -summaryFile client.out -statsFile client ";
    private const string Certificate = "-connType encrypted -cert server.pem -keyfile server.key ";

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("-connType websocket", "-connType websocket")]
    [InlineData("-websocket rssl.rwf -pack 20", "-websocket rssl.rwf -compressionType lz4")]
    [InlineData("-websocket tr_json2", "-websocket rssl.json.v2")]
    [InlineData("-websocket tr_json2,rssl.rwf -pack 20", "-websocket tr_json2 -pack 3 -msgSize 64")]
    [InlineData("-websocket tr_json2 -compressionType zlib", "-websocket tr_json2 -compressionType zlib -msgSize 9000")]
    [InlineData("-websocket tr_json2 -msgSize 20", "-websocket tr_json2 -jsonBody object -pack 4 -msgSize 123")]
    [InlineData("-websocket tr_json2 -jsonBody object -msgSize 64", "-websocket tr_json2 -pack 4 -msgSize 123")]
    [InlineData("-websocket tr_json2 -jsonBody object", "-websocket rssl.json.v2 -jsonBody object -pack 3")]
    public async Task Run_WebSocket_CountsTheSame(string serverOptions, string clientOptions) =>
        (await RunPair(Server + "-msgRate 5000 " + serverOptions, Client + "-msgRate 7000 -latencyMsgRate all " + clientOptions)).Dispose();

    [Theory]
    [InlineData("-websocket tr_json2", "-websocket tr_json2 -pack 5")]
    [InlineData("-websocket tr_json2", "-websocket tr_json2 -jsonBody object -pack 5 -msgSize 123")]
    [InlineData("-websocket rssl.rwf", "-websocket rssl.rwf -pack 5")]
    public async Task Run_WebSocketReflection_ReturnsEverything(string serverOptions, string clientOptions) =>
        (await RunPair(Server + "-reflectMsgs " + serverOptions, Client + "-msgRate 5000 " + clientOptions)).Dispose();

    [Theory]
    [InlineData("", "-castore ca.pem")]
    [InlineData("-spTLSv1.2", "-castore ca.pem")]
    [InlineData("", "-insecureSkipCertCheck -spTLSv1.3 -pack 10")]
    [InlineData("-websocket tr_json2", "-castore ca.pem -websocket tr_json2")]
    [InlineData("-encryptedConnectionType websocket", "-castore ca.pem -encryptedConnectionType websocket -compressionType zlib")]
    public async Task Run_Encrypted_CountsTheSame(string serverOptions, string clientOptions) =>
        (await RunPair(Server + Certificate + "-msgRate 5000 " + serverOptions,
            Client + "-connType encrypted -msgRate 5000 " + clientOptions)).Dispose();

    [Fact]
    public async Task Run_UnknownAuthority_IsNotConnected()
    {
        using RunDirectory directory = new();
        WriteCertificates(directory);
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + Certificate);
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            Client + "-connType encrypted" + Port(await server.ListeningPort(Cancel)));
        Assert.Equal(4, await client.ExitCode(Cancel));
        Assert.StartsWith("TransportPerf: cannot connect: ", client.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_MissingCertificate_IsAnInputFile()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + Certificate);
        Assert.Equal(3, await server.ExitCode(Cancel));
        Assert.Contains("server.pem", server.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_InsecureClient_SaysSoInTheSummary()
    {
        using RunDirectory directory = await RunPair(
            Server + Certificate + "-msgRate 1000", Client + "-connType encrypted -insecureSkipCertCheck -msgRate 1000");
        Assert.Contains("Certificate check: off", directory.Read("client.out"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "")]
    [InlineData(Certificate, "-connType encrypted -castore ca.pem")]
    public async Task Run_Proxy_CountsTheSame(string serverOptions, string clientOptions)
    {
        using TunnelProxy proxy = new();
        using RunDirectory directory = await RunPair(Server + "-msgRate 5000 " + serverOptions,
            string.Create(CultureInfo.InvariantCulture, $"{Client}-msgRate 5000 -proxy -ph 127.0.0.1 -pp {proxy.Port} {clientOptions}"));
        Assert.Equal(1, proxy.Tunnels);
    }

    private static async Task<RunDirectory> RunPair(string serverOptions, string clientOptions)
    {
        RunDirectory directory = new();
        WriteCertificates(directory);
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, serverOptions);
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            clientOptions + Port(await server.ListeningPort(Cancel)));
        await client.Measured(Cancel);
        client.Signal(ToolProcess.Terminate);
        Assert.Equal((143, "TransportPerf: ended by SIGTERM\n"), (await client.ExitCode(Cancel), client.Error));
        Assert.Equal((0, ""), (await server.ExitCode(Cancel), server.Error));
        (JsonElement near, JsonElement far) = (directory.ReadFinal("client.json"), directory.ReadFinal("server.json"));
        Assert.Equal(Count(near, "messagesSent"), Count(far, "messagesReceived"));
        Assert.Equal(Count(far, "messagesSent"), Count(near, "messagesReceived"));
        Assert.True(Count(near, "messagesReceived") > 0);
        return directory;
    }

    private static void WriteCertificates(RunDirectory directory)
    {
        using TrialCertificates certificates = new(DateTimeOffset.UtcNow.AddHours(-1), TimeSpan.FromDays(1));
        (string certificate, string key) = certificates.CreateServer(["localhost"]);
        File.WriteAllText(directory.File("ca.pem"), certificates.AuthorityPem);
        File.WriteAllText(directory.File("server.pem"), certificate);
        File.WriteAllText(directory.File("server.key"), key);
    }

    private static string Port(int port) => string.Create(CultureInfo.InvariantCulture, $" -p {port}");

    private static long Count(JsonElement final, string name) =>
        final.GetProperty("overall").GetProperty("counts").GetProperty(name).GetInt64();
}
