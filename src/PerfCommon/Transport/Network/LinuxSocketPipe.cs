using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace PerfCommon.Transport;

/// <summary>The same by the system's own calls, without what the framework does around each of them.</summary>
/// <remarks>Where thousands of connections get a little each, that is a fiftieth of all there is to do for one.</remarks>
internal sealed class LinuxSocketPipe(Socket socket, Action wakeOwner) : SocketPipe(socket, wakeOwner)
{
    private readonly SafeHandle _handle = socket.SafeHandle;

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = Libc.Receive(_handle, room);
        if (count > 0)
            return count < room.Length ? PipeStatus.Wait : PipeStatus.Ready; // a short read means drained
        return count == 0 ? PipeStatus.Ended : StopOrWait(out count);
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = Libc.Send(_handle, bytes);
        return count == bytes.Length ? PipeStatus.Ready : count >= 0 ? PipeStatus.Wait : StopOrWait(out count);
    }

    private PipeStatus StopOrWait(out int count)
    {
        count = 0;
        int error = Marshal.GetLastPInvokeError();
        return error is Libc.TryAgain or Libc.Interrupted or Libc.NoBuffers
            ? PipeStatus.Wait : Fail(Marshal.GetPInvokeErrorMessage(error));
    }
}
