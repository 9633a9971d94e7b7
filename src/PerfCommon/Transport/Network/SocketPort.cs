using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>A listening socket.</summary>
/// <param name="socket">It listens.</param>
/// <param name="isLinux">True uses the system's own calls for what it accepts.</param>
internal sealed class SocketPort(Socket socket, bool isLinux) : ListeningPort
{
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(100);

    public override int Number => ((IPEndPoint)socket.LocalEndPoint!).Port;

    public override NetworkLink? TryAccept(TimeSpan limit)
    {
        try
        {
            return socket.Poll(limit, SelectMode.SelectRead) ? new SocketLink(socket.Accept(), isConnected: true, isLinux) : null;
        }
        catch (SocketException problem) when (problem.SocketErrorCode == SocketError.TooManyOpenSockets)
        {
            Thread.Sleep(limit < LongestPause ? limit : LongestPause); // it stays readable: do not ask without end
            return null;
        }
        catch (Exception problem) when (problem is SocketException or ObjectDisposedException)
        {
            return null; // the peer was gone before we took it, or the listener ended
        }
    }

    /// <summary>The same for one who awaits.</summary>
    public async Task<AwaitedLink?> AcceptAsync(CancellationToken ended)
    {
        try
        {
            return new AwaitedLink(await socket.AcceptAsync(ended).ConfigureAwait(false));
        }
        catch (SocketException problem) when (problem.SocketErrorCode == SocketError.TooManyOpenSockets)
        {
            await Task.Delay(LongestPause, CancellationToken.None).ConfigureAwait(false);
            return null;
        }
        catch (Exception problem) when (problem is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            return null;
        }
    }

    public override void Dispose() => socket.Dispose();
}
