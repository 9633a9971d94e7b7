using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>The bottom of every polled connection: a plain non-blocking socket, read and written by its owner.</summary>
internal class SocketPipe(Socket socket, Action wakeOwner) : BytePipe
{
    private string? _failure;

    public override (EndPoint? Local, EndPoint? Remote) Addresses => NetworkAddresses.Of(socket);

    public override TcpFacts? TcpFacts => TcpInfo.ReadFacts(socket);

    public override (int Send, int Receive)? SystemBuffers => (socket.SendBufferSize, socket.ReceiveBufferSize);

    public override bool TrySetSystemBuffers(int? sendBytes, int? receiveBytes)
    {
        try
        {
            if (sendBytes is { } send)
                socket.SendBufferSize = send;
            if (receiveBytes is { } receive)
                socket.ReceiveBufferSize = receive;
            return true;
        }
        catch (SocketException)
        {
            return false; // the peer is gone: receiving reports it
        }
    }

    public override string? Failure => _failure;

    public override void WakeOwner() => wakeOwner();

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = socket.Receive(room, SocketFlags.None, out SocketError error);
        if (error == SocketError.Success)
            return count == 0 ? PipeStatus.Ended : count < room.Length ? PipeStatus.Wait : PipeStatus.Ready; // a short read drained the socket
        count = 0;
        return error is SocketError.WouldBlock or SocketError.Interrupted ? PipeStatus.Wait : Fail(error);
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = socket.Send(bytes, SocketFlags.None, out SocketError error);
        if (error == SocketError.Success)
            return count == bytes.Length ? PipeStatus.Ready : PipeStatus.Wait;
        count = 0;
        return error is SocketError.WouldBlock or SocketError.Interrupted or SocketError.NoBufferSpaceAvailable
            ? PipeStatus.Wait : Fail(error);
    }

    public override void FinishSending()
    {
        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException problem)
        {
            Fail(problem.SocketErrorCode); // the peer is gone: receiving reports it
        }
    }

    public override void Dispose() => socket.Dispose();

    protected PipeStatus Fail(string reason)
    {
        _failure ??= reason;
        return PipeStatus.Failed;
    }

    private PipeStatus Fail(SocketError error) => Fail(new SocketException((int)error).Message);
}
