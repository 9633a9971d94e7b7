using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <content>Connects a client over TCP: tries the name's addresses one after the other, and versions from the highest down.</content>
internal sealed partial class ChannelOpening
{
    private Task<IPAddress[]>? _resolving;
    private IPAddress[] _addresses = [];
    private int _addressAt;
    private NetworkLink? _link;
    private int _version;

    /// <summary>The version of a client's next attempt over a new connection, where one is useful after this; else null.</summary>
    public int? NextVersion => (_phase, _handshake) switch
    {
        _ when Failure?.Kind is CloseKind.HandshakeTimeout or CloseKind.Timeout => null,
        (Phase.Layers, ClientHandshake client) when Pipe!.WantsReconnect => client.Version, // wire/transport 8.2
        (Phase.Handshake, ClientHandshake { HasReceived: false } client) // wire/transport 1.6
            when client.Version > ConnectionVersions.LowestFor(ClientOptions) => client.Version - 1,
        _ => null,
    };

    private ConnectOptions ClientOptions => (ConnectOptions)_options;

    private (string Host, int Port) NextHop => ClientOptions.NextHop;

    /// <summary>Starts to connect.</summary>
    public void Connect(long nowNanos)
    {
        _version = ConnectionVersions.HighestFor(ClientOptions);
        _phase = Phase.Resolving;
        if (IPAddress.TryParse(NextHop.Host, out IPAddress? address))
        {
            TryAddresses([address], nowNanos);
            return;
        }

        _resolving = _driver.ResolveAsync(NextHop.Host);
        if (!_resolving.IsCompleted)
            _resolving.ContinueWith(_ => Wake(), TaskScheduler.Default);
        ReceiveAddresses(nowNanos);
    }

    private void ReceiveAddresses(long nowNanos)
    {
        if (_resolving is not { IsCompleted: true } resolved)
            return;
        if (resolved.IsCompletedSuccessfully)
        {
            TryAddresses(resolved.Result, nowNanos);
            return;
        }

        Exception problem = resolved.Exception!.InnerException!;
        Fail(new CloseReason(CloseKind.ConnectFailed, NetworkAddresses.DescribeHost(NextHop.Host, problem), problem));
    }

    private void TryAddresses(IPAddress[] addresses, long nowNanos)
    {
        _addresses = addresses;
        _addressAt = -1;
        TryNextAddress("no address", nowNanos);
    }

    private void TryNextAddress(string failure, long nowNanos)
    {
        DropLink();
        while (++_addressAt < _addresses.Length)
        {
            string? problem = TryAddress(nowNanos);
            if (problem is null)
                return;
            failure = problem;
        }

        Fail(new CloseReason(CloseKind.ConnectFailed, $"cannot connect to {NextHop.Host} port {NextHop.Port}: {failure}"));
    }

    /// <summary>Starts a TCP connect.</summary>
    /// <returns>The error; null when it is in progress.</returns>
    private string? TryAddress(long nowNanos)
    {
        try
        {
            _link = _driver.Connect(_addresses[_addressAt], ClientOptions);
        }
        catch (Exception problem) when (problem is SocketException or IOException)
        {
            return problem.Message;
        }

        _phase = Phase.Connecting;
        DueNanos = nowNanos + Shorter(ClientOptions.ConnectTimeoutSeconds, _options.SendTimeoutMillis);
        return null;
    }

    private void LookAtLink(bool isWritable, long nowNanos)
    {
        PipeStatus status = _link!.Look(isWritable);
        if (status == PipeStatus.Failed)
            TryNextAddress(_link.Failure!, nowNanos);
        if (status != PipeStatus.Ready)
            return;
        NetworkLink link = _link;
        _link = null;
        BeginClient(link.Open(Wake), _version, link.OwnAddress, nowNanos);
    }

    /// <summary>Closes the connection and opens another to the same address.</summary>
    private void ConnectAgain(int version, long nowNanos)
    {
        _version = version;
        _driver.Detach();
        Pipe!.Dispose();
        Pipe = null;
        Release();
        string? problem = TryAddress(nowNanos);
        if (problem is not null)
            TryNextAddress(problem, nowNanos);
    }

    private void DropLink()
    {
        if (_link is null)
            return;
        _driver.Detach();
        _link.Dispose();
        _link = null;
    }
}
