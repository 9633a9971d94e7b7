using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace PerfCommon.Transport.Tls;

/// <summary>TLS over another pipe. The handshake's arithmetic runs on pool threads, everything else on the owner's.</summary>
internal sealed partial class TlsPipe : BytePipe
{
    private const int MostDataBytes = 16 * 1024; // of one record
    private const int MostChunkBytes = 2 * MostDataBytes;

    private readonly BytePipe _inner;
    private readonly TlsRecordStream _records;
    private readonly SslStream _ssl;
    private readonly Func<SslStream, Task> _authenticate;
    private readonly TlsCertificateCheck? _check;
    private Task? _handshake;
    private bool _handshakeEnded; // set by the pool, before it wakes the owner
    private bool _open;
    private string? _failure;

    private TlsPipe(BytePipe inner, Func<SslStream, Task> authenticate, TlsCertificateCheck? check)
    {
        _inner = inner;
        _authenticate = authenticate;
        _check = check;
        _records = new TlsRecordStream(inner.WakeOwner);
        _ssl = new SslStream(_records, leaveInnerStreamOpen: true);
    }

    public override Socket? Socket => _inner.Socket;

    public override string? Failure => _failure ?? _inner.Failure;

    public override bool HasUnsent => _records.HasUnsent || _inner.HasUnsent;

    /// <summary>The handshake, wherever it runs; done before it began.</summary>
    internal Task Handshake => _handshake ?? Task.CompletedTask;

    public override int CommittedBytes => _chunkBytes;

    public override bool WantsReconnect => _inner.WantsReconnect;

    public override void WakeOwner() => _inner.WakeOwner();

    /// <summary>The client's side; <paramref name="host"/> is sent, and the certificate must be for it.</summary>
    public static TlsPipe ForClient(BytePipe inner, TlsClientSettings settings, string host)
    {
        TlsCertificateCheck check = new(settings.SkipsCertificateCheck, host);
        return new TlsPipe(inner, ssl => ssl.AuthenticateAsClientAsync(settings.CreateOptions(host, check.Accept)), check);
    }

    /// <summary>The server's side.</summary>
    public static TlsPipe ForServer(BytePipe inner, TlsServerSettings settings) =>
        new(inner, ssl => ssl.AuthenticateAsServerAsync(settings.Options), null);

    public override PipeStatus Open()
    {
        if (_open)
            return PipeStatus.Ready;
        if (_handshake is null)
        {
            PipeStatus below = _inner.Open();
            if (below != PipeStatus.Ready)
                return below;
            _handshake = Task.Run(ShakeHands);
        }

        bool done = Volatile.Read(ref _handshakeEnded); // before sending: what it wrote last then goes out too
        PipeStatus sent = _records.SendTo(_inner);
        if (sent == PipeStatus.Failed)
            return PipeStatus.Failed;
        if (done)
            return FinishOpening(sent);
        return ReceiveRecords();
    }

    protected override void Dispose(bool disposing)
    {
        _records.EndReceived(); // a handshake that waits for a record ends
        if (_handshake is { IsCompleted: false } running)
            running.ContinueWith(_ => _ssl.Dispose(), TaskScheduler.Default);
        else
            _ssl.Dispose();
        _records.Dispose();
        _inner.Dispose();
    }

    private PipeStatus FinishOpening(PipeStatus sent)
    {
        if (_failure is not null)
            return PipeStatus.Failed;
        if (sent == PipeStatus.Wait)
            return PipeStatus.Wait;
        _open = true;
        return PipeStatus.Ready;
    }

    private PipeStatus ReceiveRecords()
    {
        while (!_records.HasWholeRecord)
        {
            PipeStatus status = _inner.Receive(_records.ReceiveRoom, out int count);
            if (count > 0)
                _records.AddReceived(count);
            if (status == PipeStatus.Ended)
                _records.EndReceived();
            if (status != PipeStatus.Ready)
                return status == PipeStatus.Failed ? status : PipeStatus.Wait; // its handshake says how it ended
        }
        return PipeStatus.Wait;
    }

    private async Task ShakeHands()
    {
        try
        {
            await _authenticate(_ssl).ConfigureAwait(false);
        }
        catch (Exception problem) when (problem is AuthenticationException or IOException or InvalidOperationException)
        {
            _failure = $"TLS handshake: {_check?.Problem ?? Describe(problem)}";
        }
        finally
        {
            Volatile.Write(ref _handshakeEnded, true);
            _inner.WakeOwner();
        }
    }

    private static string Describe(Exception problem) =>
        problem.InnerException is { } cause ? $"{problem.Message} {cause.Message}" : problem.Message;
}
