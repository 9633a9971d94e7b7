using System.Net.Security;
using System.Security.Authentication;

namespace PerfCommon.Transport.Tls;

/// <summary>
/// TLS over another pipe. The cryptography of the handshake runs on pool threads, except in memory; all else runs on the owner's thread.
/// </summary>
internal sealed partial class TlsPipe : EncodingPipe
{
    private const int MostDataBytes = 16 * 1024; // of one record
    private const int MostChunkBytes = 2 * MostDataBytes;

    private readonly TlsRecordStream _records;
    private readonly SslStream _ssl;
    private readonly Func<SslStream, Task> _authenticate;
    private readonly TlsCertificateCheck _check;
    private readonly SslProtocols _versions;
    private readonly BufferPool _pool;
    private Task? _handshake;
    private bool _handshakeEnded; // set by the pool thread before it wakes the owner

    private TlsPipe(BytePipe below, BufferPool pool, Func<SslStream, Task> authenticate, TlsCertificateCheck check, SslProtocols versions)
        : base(below)
    {
        _pool = pool;
        _authenticate = authenticate;
        (_check, _versions) = (check, versions);
        _records = new TlsRecordStream(below, Unsent);
        _ssl = new SslStream(_records, leaveInnerStreamOpen: true);
    }

    public override bool HasUnsent => _records.HasUnsent || Below.HasUnsent;

    public override bool DistrustsPeer => _check.Problem is not null;

    public override int RecordBytes => MostDataBytes;

    public override int HeldBytes => _plain.HeldBytes + _records.HeldBytes + Below.HeldBytes;

    /// <summary>The task of the handshake, on any thread; completed when there is none.</summary>
    internal Task Handshake => _handshake ?? Task.CompletedTask;

    /// <summary>Creates the client's side; <paramref name="host"/> is sent, and the certificate must match it.</summary>
    public static TlsPipe ForClient(BytePipe below, TlsClientSettings settings, string host, BufferPool pool) // wire/transport 8.1
    {
        TlsCertificateCheck check = new("server", host, settings.SkipsCertificateCheck, settings.HasOwn);
        return new TlsPipe(below, pool, ssl => ssl.AuthenticateAsClientAsync(settings.CreateOptions(host, check)), check,
            settings.Versions);
    }

    /// <summary>Creates the server's side.</summary>
    public static TlsPipe ForServer(BytePipe below, TlsServerSettings settings, BufferPool pool)
    {
        TlsCertificateCheck check = new("client", host: null, skip: false, hasOwn: false);
        return new TlsPipe(below, pool, ssl => ssl.AuthenticateAsServerAsync(settings.CreateOptions(check)), check, settings.Versions);
    }

    public override PipeStatus Open()
    {
        if (IsOpen)
            return PipeStatus.Ready;
        if (_handshake is null)
        {
            PipeStatus below = Below.Open();
            if (below != PipeStatus.Ready)
                return below;
            _handshake = StaysOnThread ? RunHandshake() : Task.Run(RunHandshake);
        }

        bool done = Volatile.Read(ref _handshakeEnded); // read before sending, so that its last bytes are sent too
        PipeStatus sent = SendEncoded();
        if (sent == PipeStatus.Failed || (done && Problem is not null))
            return PipeStatus.Failed;
        if (!done)
            return ReceiveRecords();
        IsOpen = sent == PipeStatus.Ready;
        if (IsOpen)
            LendArrays(); // no other thread uses them any more
        return sent;
    }

    public override void ReleaseWhenEmpty()
    {
        base.ReleaseWhenEmpty();
        _plain.Release();
        _records.Release();
    }

    public override void Dispose()
    {
        _records.EndReceived(); // ends a handshake that waits for a record
        if (_handshake is { IsCompleted: false } running)
            running.ContinueWith(_ => _ssl.Dispose(), TaskScheduler.Default);
        else
            _ssl.Dispose();
        _records.Dispose();
        _records.Discard();
        _plain.Discard();
        base.Dispose();
    }

    protected override PipeStatus SendEncoded() => _records.SendUnsent();

    private void LendArrays()
    {
        _plain.LendFrom(_pool);
        _records.LendFrom(_pool);
    }

    private PipeStatus ReceiveRecords()
    {
        while (!_records.HasWholeRecord)
        {
            PipeStatus status = _records.Receive(out _);
            if (status == PipeStatus.Ended)
                _records.EndReceived();
            if (status != PipeStatus.Ready)
                return status == PipeStatus.Failed ? status : PipeStatus.Wait; // its handshake reports how it ended
        }

        return PipeStatus.Wait;
    }

    private async Task RunHandshake()
    {
        try
        {
            await _authenticate(_ssl).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // any failure in it ends the connection: nothing is encrypted
        catch (Exception problem)
#pragma warning restore CA1031
        {
            Problem = $"TLS handshake: {_check.Problem ?? TlsErrors.Describe(problem, _versions)}";
        }
        finally
        {
            Volatile.Write(ref _handshakeEnded, true);
            WakeOwner();
        }
    }
}
