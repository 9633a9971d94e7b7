using System.Security.Authentication;
using PerfCommon.Transport;
using PerfCommon.Transport.Tls;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

public sealed class TlsPipeTests : IClassFixture<TlsFiles>, IDisposable
{
    private readonly TlsFiles _files;
    private readonly BufferPool _pool = new();
    private readonly MemoryPipe _clientEnd;
    private readonly MemoryPipe _serverEnd;
    private TlsPipe? _client;
    private TlsPipe? _server;

    public TlsPipeTests(TlsFiles files) => (_files, (_clientEnd, _serverEnd)) = (files, MemoryPipe.CreatePair());

    [Theory]
    [InlineData(SslProtocols.Tls12, int.MaxValue, int.MaxValue)]
    [InlineData(SslProtocols.Tls13, int.MaxValue, int.MaxValue)]
    [InlineData(SslProtocols.Tls12, 1, int.MaxValue)]
    [InlineData(SslProtocols.Tls13, 1, int.MaxValue)]
    [InlineData(SslProtocols.Tls13, 97, 300)]
    public void Transfer_BothWays_GivesBackEveryByte(SslProtocols version, int mostReceivedAtOnce, int mostQueued)
    {
        _clientEnd.MostReceivedAtOnce = _serverEnd.MostReceivedAtOnce = mostReceivedAtOnce;
        _clientEnd.MostQueued = _serverEnd.MostQueued = mostQueued;
        Assert.Equal((PipeStatus.Ready, PipeStatus.Ready),
            Open(TlsClientSettings.Load(_files.AuthorityPath, versions: version), _files.Good));
        byte[] data = new byte[100_000];
        new Random(1).NextBytes(data);

        Assert.True(data.AsSpan().SequenceEqual(PipePump.Transfer(_client!, _server!, data)));
        Assert.True(data.AsSpan().SequenceEqual(PipePump.Transfer(_server!, _client!, data, roomBytes: 700)));
    }

    [Theory]
    [InlineData(SslProtocols.Tls12)]
    [InlineData(SslProtocols.Tls13)]
    public void Send_PeerTakesAPart_CountsTheRecordsThatHaveLeft(SslProtocols version)
    {
        const int RecordBytes = 16 * 1024;
        Open(TlsClientSettings.Load(_files.AuthorityPath, versions: version), _files.Good);
        byte[] data = new byte[40_000];
        new Random(1).NextBytes(data);

        _clientEnd.MostQueued = 2_000;
        Assert.Equal((PipeStatus.Wait, 0, 2 * RecordBytes), Send(data));
        _clientEnd.MostQueued = 20_000;
        Assert.Equal((PipeStatus.Wait, RecordBytes, RecordBytes), Send(data));
        _clientEnd.MostQueued = int.MaxValue;
        Assert.Equal((PipeStatus.Ready, data.Length - RecordBytes, 0), Send(data.AsSpan(RecordBytes)));
        byte[] room = new byte[64 * 1024];
        Assert.True(_server!.Receive(room, out int count) <= PipeStatus.Wait);
        Assert.True(data.AsSpan().SequenceEqual(room.AsSpan(0, count)));

        (PipeStatus, int, int) Send(ReadOnlySpan<byte> bytes)
        {
            PipeStatus status = _client!.Send(bytes, out int sent);
            return (status, sent, _client.CommittedBytes);
        }
    }

    [Fact]
    public void FinishSending_Always_EndsThePeersStreamBehindTheData()
    {
        Open(_files.Trusting, _files.Good);
        _server!.Send("last words"u8, out _);
        _server.FinishSending();

        byte[] room = new byte[100];
        Assert.True(_client!.Receive(room, out int count) <= PipeStatus.Wait);
        Assert.Equal("last words"u8, room.AsSpan(0, count));
        Assert.Equal(PipeStatus.Ended, _client.Receive(room, out _));
    }

    [Fact]
    public void Receive_StreamEndsWithoutNotice_IsItsEnd()
    {
        Open(_files.Trusting, _files.Good);
        _serverEnd.FinishSending();
        byte[] room = new byte[100];
        PipeStatus status = PipeStatus.Wait;
        for (int i = 0; i < 3 && status <= PipeStatus.Wait; i++)
            status = _client!.Receive(room, out _);
        Assert.Equal(PipeStatus.Ended, status);
    }

    [Fact]
    public void Open_UnknownAuthority_IsRefusedByTheClient()
    {
        (PipeStatus client, _) = Open(TlsClientSettings.Load(), _files.Good);
        Assert.Equal(PipeStatus.Failed, client);
        Assert.Contains("no trusted authority has signed it (signed by CN=PerfTools trial authority)", _client!.Failure);
        Assert.Equal((true, false), (_client.DistrustsPeer, _server!.DistrustsPeer));
    }

    [Fact]
    public void Open_OtherHost_IsRefusedByTheClient()
    {
        (PipeStatus client, _) = Open(_files.Trusting, _files.ForOtherHost());
        Assert.Equal(PipeStatus.Failed, client);
        Assert.Contains("not for localhost", _client!.Failure);
    }

    [Fact]
    public void Open_Expired_IsRefusedByTheClient()
    {
        (PipeStatus client, _) = Open(_files.Trusting, _files.Expired());
        Assert.Equal(PipeStatus.Failed, client);
        Assert.Contains("it expired on ", _client!.Failure);
    }

    [Fact]
    public void Open_SelfSigned_IsRefusedByTheClient()
    {
        (PipeStatus client, _) = Open(_files.Trusting, _files.SelfSigned());
        Assert.Equal(PipeStatus.Failed, client);
        Assert.Contains("its authority is not trusted here (signed by CN=localhost)", _client!.Failure);
    }

    [Fact]
    public void Open_ClientWithoutCertificate_IsRefusedByAServerThatRequiresOne()
    {
        (_, PipeStatus server) = Open(_files.Trusting, RequiringCertificates());
        Assert.Equal(PipeStatus.Failed, server);
        Assert.Contains("the client has shown no certificate", _server!.Failure);
        Assert.Equal((false, true), (_client!.DistrustsPeer, _server.DistrustsPeer));
    }

    [Fact]
    public void Open_ClientOfAnotherAuthority_IsRefusedByAServerThatRequiresCertificates()
    {
        using TrialCertificates other = new(DateTimeOffset.UtcNow.AddDays(-1), TimeSpan.FromDays(2), TrialKeyKind.Ecdsa);
        (string certificate, string key) = other.CreateClient("stranger");
        TlsClientSettings client = TlsClientSettings.Load(_files.AuthorityPath, versions: SslProtocols.Tls12,
            certificatePath: _files.Write("stranger.pem", certificate), keyPath: _files.Write("stranger.key", key));
        (_, PipeStatus server) = Open(client, RequiringCertificates());
        Assert.Equal(PipeStatus.Failed, server);
        Assert.Contains("the client's certificate is not trusted: ", _server!.Failure);
    }

    // The owner waits until the connection accepts bytes only where some wait to be sent.
    [Fact]
    public void HasUnsent_PeerTakesAPartOfTheHandshake_IsTrueUntilTheRestHasLeft()
    {
        _clientEnd.MostQueued = 10;
        _client = TlsPipe.ForClient(_clientEnd, _files.Trusting, "localhost", _pool);
        PipePump.TurnUntil(_clientEnd, () => _client.Open() == PipeStatus.Wait && _clientEnd.Moved > 0);
        Assert.True(_client.HasUnsent);
        _clientEnd.MostQueued = int.MaxValue;
        Assert.Equal(PipeStatus.Wait, _client.Open());
        Assert.False(_client.HasUnsent);
    }

    [Fact]
    public void Open_ChecksOff_TakesAnyCertificate() =>
        Assert.Equal((PipeStatus.Ready, PipeStatus.Ready), Open(TlsClientSettings.Load(skipCertificateCheck: true), _files.SelfSigned()));

    [Fact]
    public void Open_AddressOfTheCertificate_IsAccepted() =>
        Assert.Equal((PipeStatus.Ready, PipeStatus.Ready), Open(_files.Trusting, _files.Good, host: "127.0.0.1"));

    [Fact]
    public void Open_NoCommonVersion_FailsOnBothSides()
    {
        TlsServerSettings server = TlsServerSettings.Load(_files.CertificatePath, _files.KeyPath, versions: SslProtocols.Tls12);
        TlsClientSettings client = TlsClientSettings.Load(_files.AuthorityPath, versions: SslProtocols.Tls13);
        Assert.Equal((PipeStatus.Failed, PipeStatus.Failed), Open(client, server));
        Assert.Equal((false, false), (_client!.DistrustsPeer, _server!.DistrustsPeer)); // the peer may be mended: another attempt follows
    }

    [Fact]
    public void Open_PlainBytesAtAServer_Fails()
    {
        _server = TlsPipe.ForServer(_serverEnd, _files.Good, _pool);
        _serverEnd.Inject("GET / HTTP/1.1\r\n\r\n"u8);
        Assert.Equal(PipeStatus.Failed, OpenAlone(_server));
        Assert.StartsWith("TLS handshake: ", _server.Failure, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_VersionOneZeroHello_Fails()
    {
        _server = TlsPipe.ForServer(_serverEnd, _files.Good, _pool);
        _serverEnd.Inject(Hello10);
        Assert.Equal(PipeStatus.Failed, OpenAlone(_server));
    }

    [Fact]
    public void Open_PeerGone_Fails()
    {
        _client = TlsPipe.ForClient(_clientEnd, _files.Trusting, "localhost", _pool);
        _clientEnd.End();
        Assert.Equal(PipeStatus.Failed, OpenAlone(_client));
    }

    [Fact]
    public async Task Dispose_HandshakeThatNeverEnds_LeavesNothingRunning()
    {
        _client = TlsPipe.ForClient(_clientEnd, _files.Trusting, "localhost", _pool);
        Assert.Equal(PipeStatus.Wait, _client.Open());
        _client.Dispose();
        await _client.Handshake.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Data_AfterWarmUp_AllocatesNothing()
    {
        Open(_files.Trusting, _files.Good);
        byte[] data = new byte[4000];
        byte[] room = new byte[64 * 1024];
        Turn(20);
        Allocation.None(() => Turn(100));

        void Turn(int times)
        {
            for (int i = 0; i < times; i++)
            {
                _client!.Send(data, out _);
                _server!.Receive(room, out _);
            }
        }
    }

    public void Dispose()
    {
        _client?.Dispose();
        _server?.Dispose();
    }

    // record: handshake, version 3.1 | client hello: version 3.1, 32 random bytes, no session, one cipher, no compression
    private static byte[] Hello10 =>
        [22, 3, 1, 0, 45, 1, 0, 0, 41, 3, 1, .. new byte[32], 0, 0, 2, 0, 0x2f, 1, 0];

    private (PipeStatus Client, PipeStatus Server) Open(TlsClientSettings client, TlsServerSettings server, string host = "localhost")
    {
        _client = TlsPipe.ForClient(_clientEnd, client, host, _pool);
        _server = TlsPipe.ForServer(_serverEnd, server, _pool);
        return PipePump.OpenBoth(_client, _server, _clientEnd, _serverEnd);
    }

    private TlsServerSettings RequiringCertificates() =>
        TlsServerSettings.Load(_files.CertificatePath, _files.KeyPath, versions: SslProtocols.Tls12, clientAuthorityPath: _files.AuthorityPath);

    private static PipeStatus OpenAlone(TlsPipe pipe)
    {
        PipeStatus status = PipeStatus.Wait;
        for (int i = 0; i < 10_000 && status == PipeStatus.Wait; i++)
        {
            status = pipe.Open();
            if (i > 5)
                pipe.Handshake.Wait(1, TestContext.Current.CancellationToken);
        }

        return status;
    }
}
