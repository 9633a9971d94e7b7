using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>
/// Mistakes of users: one line on the error stream that starts with the program and has the cause, and the right exit code.
/// </summary>
public class WrongInputTests
{
    private const string Encrypted = "-connType encrypted";
    private const string ProvPerf = "ProvPerf";
    private const string ConsPerf = "ConsPerf";
    private const string TransportPerf = "TransportPerf";
    private const string Client = "-appType client -runTime 10";

    // options
    [Theory]
    [InlineData(ConsPerf, "-itemcount 5", 2, "-itemcount: unknown option; did you mean -itemCount?")]
    [InlineData(ProvPerf, "-updaterate 5", 2, "did you mean -updateRate?")]
    [InlineData(ProvPerf, "-p 0 -jsonFile x -summaryFile ./x", 2, "x: two outputs have this name")]
    [InlineData(ConsPerf, "loose", 2, "loose: unexpected argument")]
    [InlineData(ConsPerf, "-itemCount many", 2, "-itemCount: 'many' is not a whole number")]
    [InlineData(ConsPerf, "-itemCount 5 -itemCount 6", 2, "-itemCount: given more than once")]
    [InlineData(ProvPerf, "-tickRate 0", 2, "-tickRate must be at least 1")]
    [InlineData(ConsPerf, "-threads 9", 2, "-threads")]
    [InlineData(ProvPerf, "-threads 1,x", 2, "-threads: '1,x' is not a number of threads")]
    [InlineData(ProvPerf, "-latencyUpdateRate 2000", 2, "-latencyUpdateRate must not exceed -tickRate")]
    [InlineData(ProvPerf, "-measureDecode", 2, "-measureDecode: not available in this version")]
    [InlineData(ConsPerf, "-mainThread 999", 2, "a thread cannot be bound to CPU 999 here")]
    [InlineData(ConsPerf, "-h -p 14002", 2, "-h: needs a value <host>; -help shows the options")]
    [InlineData(ProvPerf, "-connType tcp", 2, "-connType: 'tcp' is not one of socket, encrypted, websocket")]
    [InlineData(ProvPerf, "-bindThread 4000", 2, "CPU 4000")]
    [InlineData(TransportPerf, "-msgSize 10", 2, "-msgSize must be at least 16")]
    [InlineData(ConsPerf, "-spTLSv1.2", 2, "-spTLSv1.2 needs -connType encrypted")]
    [InlineData(ProvPerf, Encrypted, 2, "-connType encrypted needs -cert and -keyfile")]
    [InlineData(ConsPerf, Encrypted + " -cipher TLS_ROT13", 2, "-cipher: 'TLS_ROT13' is not a cipher suite")]
    [InlineData(ConsPerf, Encrypted + " -clientca ca.pem", 2, "-clientca")]
    [InlineData(ConsPerf, "-proxy -ph localhost -pp http", 2, "-pp: 'http' is not a whole number")]
    [InlineData(ConsPerf, "-pp NaN", 2, "-pp: 'NaN' is not a whole number")]
    [InlineData(ConsPerf, "-proxy -ph localhost", 2, "-proxy needs -pp with a port")]
    [InlineData(ProvPerf, "-packBufSize -1", 2, "-packBufSize must be 0 or more")]
    [InlineData(ConsPerf, "-p 70000", 2, "-p must be 1 to 65535")]

    // input files
    [InlineData(ConsPerf, "-itemFile none.xml", 3, "none.xml: unable to find it")]
    [InlineData(ConsPerf, "-itemFile broken.xml -itemCount 2", 3, "broken.xml(3)")]
    [InlineData(ConsPerf, "-itemFile short.xml -itemCount 3", 3, "short.xml")]
    [InlineData(ConsPerf, "-itemFile twice.xml -itemCount 3", 3, "twice.xml(4): item 3: name \"A\" is that of item 1 as well")]
    [InlineData(ConsPerf, "-itemFile empty", 3, "empty: the file is empty")]
    [InlineData(ConsPerf, "-itemFile folder", 3, "folder: unable to find it, it is a folder")]
    [InlineData(ConsPerf, "-fieldDict none.txt", 3, "none.txt: no such dictionary file")]
    [InlineData(ConsPerf, "-fieldDict empty", 3, "empty: the file is empty")]
    [InlineData(ConsPerf, "-enumDict broken.xml", 3, "broken.xml(1)")]
    [InlineData(ProvPerf, "-p 0 -fieldDict broken.xml", 3, "broken.xml(1)")]
    [InlineData(ProvPerf, "-p 0 -msgFile broken.xml", 3, "broken.xml(")]
    [InlineData(ProvPerf, "-p 0 -msgFile type.xml", 3, "type.xml(10)")]
    [InlineData(ProvPerf, "-p 0 -msgFile unknown.xml", 3, "unknown.xml(10)")]
    [InlineData(ProvPerf, "-p 0 -msgFile empty", 3, "empty: the file is empty")]

    // certificates, keys and passwords
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert none.pem -keyfile server.key", 3, "none.pem: cannot be read: no such file")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert empty -keyfile server.key", 3, "empty: the file is empty")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert server.key -keyfile server.key", 3, "server.key: no PEM certificate in it")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert server.pem -keyfile server.pem", 3, "server.pem: no PEM private key in it")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert server.pem -keyfile other.key", 3, "other.key: not the key of server.pem")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert server.pem -keyfile locked.key", 3,
        "locked.key: the key has a password, and none was given")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert server.pem -keyfile locked.key -keypasswd no", 3,
        "locked.key: the password is wrong")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert server.pem -keyfile locked.key -keypasswd @none", 3,
        "none: password file cannot be read: no such file")]
    [InlineData(ProvPerf, "-p 0 " + Encrypted + " -cert server.pem -keyfile server.key -clientca empty", 3, "empty: the file is empty")]
    [InlineData(ConsPerf, Encrypted + " -castore none/ca.pem", 3, "none/ca.pem: cannot be read: no such folder")]
    [InlineData(ConsPerf, Encrypted + " -castore folder", 3, "folder: cannot be read: it is a folder")]

    // hosts, interfaces and ports
    [InlineData(ConsPerf, "-h no-such-host.invalid -steadyStateTime 10", 4, "not connected: ", "no-such-host.invalid")]
    [InlineData(TransportPerf, Client + " -h no-such-host.invalid", 4, "not connected within the run time: ", "no-such-host.invalid")]
    [InlineData(ConsPerf, "-p {free} -steadyStateTime 10", 4, "cannot connect to localhost port {free}: ", "refused")]
    [InlineData(TransportPerf, Client + " -p {free}", 4, "cannot connect to localhost port {free}: ", "refused")]
    [InlineData(ConsPerf, "-proxy -ph localhost -pp {free} -steadyStateTime 10", 4, "cannot connect to localhost port {free}: ", "refused")]
    [InlineData(ConsPerf, "-p {silent} -steadyStateTime 10 -handshakeTimeout 60", 4, "the server took the connection and did not answer the handshake")]
    [InlineData(ConsPerf, "-if no-such-interface0", 4,
        "interface no-such-interface0: neither an interface nor an address nor a known host")]
    [InlineData(TransportPerf, Client + " -if 192.0.2.1", 4, "interface 192.0.2.1: ")]
    [InlineData(ProvPerf, "-p 0 -if no-such-interface0", 4, "interface no-such-interface0: ")]
    [InlineData(ProvPerf, "-p 0 -if 192.0.2.1", 4, "cannot listen on 192.0.2.1 port 0: ")]
    [InlineData(ProvPerf, "-p {silent}", 4, "cannot listen on port {silent}: ", "in use")]
    public void Start_WrongInput_IsOneLineWithTheCauseAndTheCode(string tool, string arguments, int code, params string[] cause)
    {
        using Socket refusing = FreePorts.Refuse(out int free);
        using TcpListener silent = new(IPAddress.IPv6Any, 0);
        silent.Server.DualMode = true;
        silent.Start();
        Dictionary<string, int> ports = new() { ["{free}"] = free, ["{silent}"] = ((IPEndPoint)silent.LocalEndpoint).Port };
        string Fill(string text) => ports.Aggregate(
            text, (filled, port) => filled.Replace(port.Key, port.Value.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal));
        using RunFolder folder = new();
        WriteInputs(folder);
        TestCertificates.WriteTo(folder);

        ExpectOneLine(folder.Start(tool, Fill(arguments)), tool, code, [.. cause.Select(Fill)]);
    }

    // faults that only show when both sides connect
    [Theory]
    [InlineData("-spTLSv1.2", "-castore ca.pem -spTLSv1.3", "no TLS version in common; ours: TLS 1.3")]
    [InlineData("-spTLSv1.3", "-castore ca.pem -spTLSv1.2", "no TLS version in common; ours: TLS 1.2")]
    [InlineData("-cipher TLS_AES_256_GCM_SHA384", "-castore ca.pem -cipher TLS_AES_128_GCM_SHA256", "no cipher suite in common")]
    [InlineData("", "", "the server's certificate is not trusted: no trusted authority has signed it")]
    [InlineData("-cert other.pem -keyfile other.key", "-castore ca.pem", "the server's certificate is not for localhost")]
    [InlineData("-cert expired.pem -keyfile expired.key", "-castore ca.pem", "the server's certificate is not trusted: it expired on ")]
    [InlineData("-clientca ca.pem", "-castore ca.pem", "the server asked for a certificate of ours, got none")]
    [InlineData("-clientca ca.pem", "-castore ca.pem -cert server.pem -keyfile server.key", "perhaps because of our certificate")]
    [InlineData("-connType socket", "-castore ca.pem", "perhaps as it does not speak TLS")]
    public void Start_TlsThatDoesNotFit_IsOneLineWithTheCauseAndFour(string serverOptions, string clientOptions, string cause)
    {
        using RunFolder folder = new();
        TestCertificates.WriteTo(folder);
        string certificate = serverOptions.Contains("-cert", StringComparison.Ordinal) ? "" : "-cert server.pem -keyfile server.key";
        string kind = serverOptions.Contains("-connType", StringComparison.Ordinal) ? "" : Encrypted;
        RunningTool provider = folder.StartProvider($"{kind} {certificate} {serverOptions}");
        RunningTool consumer = folder.Start(ConsPerf, $"-p {provider.Port} {Encrypted} -steadyStateTime 10 -itemCount 10 {clientOptions}");

        bool isHopeless = cause.StartsWith("the server's certificate", StringComparison.Ordinal); // what we do not trust is not tried again
        ExpectOneLine(consumer, ConsPerf, 4, [isHopeless ? "cannot connect: " : "not connected: ", cause]);
    }

    // the counterpart of the rows above: what they refuse is not refused when it is right
    [Fact]
    public void Start_ClientCertificateThatTheServerTrusts_Connects()
    {
        using RunFolder folder = new();
        TestCertificates.WriteTo(folder);
        RunningTool provider = folder.StartProvider($"{Encrypted} -cert server.pem -keyfile server.key -clientca ca.pem");
        RunningTool consumer = folder.Start(
            ConsPerf, $"-p {provider.Port} {Encrypted} -steadyStateTime 10 -itemCount 10 -castore ca.pem -cert client.pem -keyfile client.key "
                + "-jsonFile cons.json");

        consumer.ExpectExit(0);
        Assert.Equal(10, folder.Final("cons.json").Count("refreshesReceived"));
    }

    [Fact]
    public void Start_ServiceThatIsNotThere_NamesThoseThatAre()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider();
        RunningTool consumer = folder.StartConsumer(provider, "-steadyStateTime 10 -itemCount 10 -serviceName OTHER");

        ExpectOneLine(consumer, ConsPerf, 4, ["service OTHER is not up: the provider offers DIRECT_FEED"]);
        Assert.Equal(0, folder.Final("cons.json").Count("requestsSent"));
        Assert.False(provider.HasExited);
    }

    [Fact]
    public void Start_ServerOfAnotherProtocol_IsRefused()
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start(TransportPerf, "-p 0 -appType server");

        ExpectOneLine(folder.Start(ConsPerf, $"-p {server.Port} -steadyStateTime 10"), ConsPerf, 4, ["not connected: the server refused: "]);
    }

    private static void ExpectOneLine(RunningTool process, string tool, int code, string[] causes)
    {
        process.ExpectExit(code, causes[0]);
        Assert.StartsWith($"{tool}: ", process.Error, StringComparison.Ordinal);
        Assert.All(causes, cause => Assert.Contains(cause, process.Error, StringComparison.OrdinalIgnoreCase));
        Assert.DoesNotContain(process.Error[(tool.Length + 2)..], process.Output, StringComparison.Ordinal); // why is said once
    }

    private static void WriteInputs(RunFolder folder)
    {
        Directory.CreateDirectory(folder.PathOf("folder"));
        folder.Write("broken.xml",
            "<itemList>\n<item domain=\"MarketPrice\" name=\"A\"/>\n<item domain=\"MarketPrice\" name=B/>\n</itemList>\n");
        folder.Write("short.xml", "<itemList>\n<item domain=\"MarketPrice\" name=\"A\"/>\n</itemList>\n");
        folder.Write(
            "twice.xml",
            "<itemList>\n<item domain=\"MarketPrice\" name=\"A\"/>\n<item domain=\"MarketPrice\" name=\"B\"/>\n<item domain=\"MarketPrice\" "
                + "name=\"A\"/>\n</itemList>\n");
        folder.Write("empty", "");
        folder.Take("MsgData.xml",
            text => text.Replace("fieldId=\"1\" dataType=\"RSSL_DT_UINT\"", "fieldId=\"1\" dataType=\"RSSL_DT_DATE\"",
                StringComparison.Ordinal));
        File.Move(folder.PathOf("MsgData.xml"), folder.PathOf("type.xml"));
        folder.Take("MsgData.xml", text => text.Replace("fieldId=\"1\" dataType", "fieldId=\"-32000\" dataType", StringComparison.Ordinal));
        File.Move(folder.PathOf("MsgData.xml"), folder.PathOf("unknown.xml"));
    }
}
