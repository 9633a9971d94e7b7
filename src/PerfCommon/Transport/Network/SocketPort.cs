using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>A listening socket.</summary>
/// <param name="socket">The listening socket.</param>
/// <param name="isLinux">True uses system calls directly for accepted connections.</param>
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
            Thread.Sleep(limit < LongestPause ? limit : LongestPause); // it stays readable: do not poll it in a tight loop
            return null;
        }
        catch (Exception problem) when (problem is SocketException or ObjectDisposedException)
        {
            return null; // the peer was gone before we accepted it, or the listener ended
        }
    }

    /// <summary>Waits for a connection asynchronously.</summary>
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
