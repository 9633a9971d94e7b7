using System.Diagnostics;
using System.Net.Sockets;

namespace PerfTools.Ranks;

/// <summary>One connection to the port of rank 0.</summary>
/// <param name="socket">Its socket.</param>
internal sealed class PortConnection(Socket socket) : IDisposable
{
    private const int SendMillis = 10_000;

    private readonly NetworkStream _stream = new(socket, ownsSocket: true);
    private long _lastMessageAt = Stopwatch.GetTimestamp();
    private int _rank;
    private bool _isCounted;

    /// <summary>The rank at its other end; null before it has shown the token. Any thread.</summary>
    public int? Rank => Volatile.Read(ref _rank) is > 0 and var rank ? rank : null;

    /// <summary>The time of the last whole message; before the token that of the beginning, whatever has come since. Any thread.</summary>
    public long LastMessageAt => Volatile.Read(ref _lastMessageAt);

    /// <summary>The address of the other end.</summary>
    public string Address { get; } = $"{socket.RemoteEndPoint}";

    private static RendezvousJson Json => RendezvousJson.Default;

    /// <summary>Reads the first message and answers it.</summary>
    /// <param name="access">Who may connect.</param>
    /// <param name="onRefused">Receives why the rank is refused, before the rank does.</param>
    /// <returns>False when the rank was refused.</returns>
    public bool TryIdentify(PortAccess access, Action<PortRefusal> onRefused)
    {
        (socket.NoDelay, socket.SendTimeout) = (true, SendMillis);
        PortHello hello = PortFrame.Read(_stream, PortFrame.MaxHelloBytes, Json.PortHello);
        PortRefusal? refusal = access.FindProblem(hello);
        if (refusal is null)
            Volatile.Write(ref _rank, hello.Rank);
        else
            onRefused(refusal);
        RecordMessage();
        Answer(new(refusal is null, Problem: refusal?.Problem, IsEarly: refusal?.IsEarly == true));
        return refusal is null;
    }

    /// <summary>Answers requests until the connection ends.</summary>
    public void Serve(PortService service)
    {
        while (true)
        {
            PortRequest request = PortFrame.Read(_stream, PortFrame.MaxBytes, Json.PortRequest);
            RecordMessage();
            Answer(request.Kind == PortRequest.File ? service.Receive(request, _stream, RecordMessage) : service.Answer(request));
        }
    }

    /// <summary>True for the first call: a refused connection is counted once.</summary>
    public bool TryCount() => !_isCounted && (_isCounted = true);

    public void Dispose() => _stream.Dispose();

    private void RecordMessage() => Volatile.Write(ref _lastMessageAt, Stopwatch.GetTimestamp());

    private void Answer(PortReply reply) => PortFrame.Write(_stream, reply with { Utc = DateTime.UtcNow }, Json.PortReply);
}
