using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>A system connection for a polled channel.</summary>
/// <param name="socket">A non-blocking socket, or one that is configured before it is opened.</param>
/// <param name="isConnected">False while it is connecting.</param>
/// <param name="isLinux">True uses system calls directly.</param>
internal sealed class SocketLink(Socket socket, bool isConnected, bool isLinux) : NetworkLink
{
    private string? _failure;
    private bool _isConnected = isConnected;

    public override Socket Socket => socket;

    public override string? Failure => _failure;

    public override string OwnAddress => NetworkAddresses.OwnAddress(socket);

    public override PipeStatus Look(bool isWritable)
    {
        if (_isConnected || !isWritable)
            return _isConnected ? PipeStatus.Ready : PipeStatus.Wait;
        int error = (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        _isConnected = error == 0;
        if (!_isConnected)
            _failure = new SocketException(error).Message;
        return _isConnected ? PipeStatus.Ready : PipeStatus.Failed;
    }

    public override void Configure(ChannelOptions options) => NetworkAddresses.Configure(socket, options, blocks: false);

    public override BytePipe Open(Action wakeOwner) =>
        isLinux ? new LinuxSocketPipe(socket, wakeOwner) : new SocketPipe(socket, wakeOwner);

    public override void Dispose() => socket.Dispose();

    public override string ToString() => $"{NetworkAddresses.Of(socket).Remote}";
}
