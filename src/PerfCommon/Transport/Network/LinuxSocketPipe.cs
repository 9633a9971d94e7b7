using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace PerfCommon.Transport;

/// <summary>A socket pipe that uses system calls directly, without the framework's overhead around each of them.</summary>
/// <remarks>
/// With thousands of connections that receive a little each, the overhead is a tenth of the work per connection outside the kernel. Only the
/// owner uses and disposes of it, so the descriptor need not be held during a call.
/// </remarks>
internal sealed class LinuxSocketPipe(Socket socket, Action wakeOwner) : SocketPipe(socket, wakeOwner)
{
    private const int Disposed = -1;

    private int _descriptor = (int)socket.SafeHandle.DangerousGetHandle();

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        ObjectDisposedException.ThrowIf(_descriptor == Disposed, this);
        count = Libc.Receive(_descriptor, room);
        if (count > 0)
            return count < room.Length ? PipeStatus.Wait : PipeStatus.Ready; // a short read drained the socket
        return count == 0 ? PipeStatus.Ended : StopOrWait(out count);
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        ObjectDisposedException.ThrowIf(_descriptor == Disposed, this);
        count = Libc.Send(_descriptor, bytes);
        return count == bytes.Length ? PipeStatus.Ready : count >= 0 ? PipeStatus.Wait : StopOrWait(out count);
    }

    public override void Dispose()
    {
        _descriptor = Disposed; // the number may be reused from now on
        base.Dispose();
    }

    private PipeStatus StopOrWait(out int count)
    {
        int error = Libc.LastError();
        count = 0;
        return error is Libc.TryAgain or Libc.Interrupted or Libc.NoBuffers
            ? PipeStatus.Wait : Fail(Marshal.GetPInvokeErrorMessage(error));
    }
}
