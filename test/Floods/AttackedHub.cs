using System.Net.Sockets;
using PerfCommon.Domains;
using PerfCommon.Transport;

namespace Floods;

/// <summary>The attacked hub, and the totals of the attack.</summary>
internal sealed class AttackedHub(string host, int consumers, int providers)
{
    public string Host => host;

    public int Consumers => consumers;

    public int Providers => providers;

    public long Bytes;

    public int Connections;

    public int Ended { get; set; }

    public Task<AttackingPeer> ConsumeAsync(bool reads, CancellationToken stop) => LogInAsync(consumers, LoginRole.Consumer, reads, stop);

    public Task<AttackingPeer> PublishAsync(CancellationToken stop) => LogInAsync(providers, LoginRole.Provider, reads: true, stop);

    private async Task<AttackingPeer> LogInAsync(int port, LoginRole role, bool reads, CancellationToken stop)
    {
        Interlocked.Increment(ref Connections);
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(host, port, stop);
        NetworkStream stream = new(socket, ownsSocket: true);
        RsslConnection connection = await RsslConnection.OpenClientAsync(
            new StreamDuplex(stream), new ConnectOptions { Host = host, Port = port }, stop);
        byte[] room = new byte[1_024];
        LoginConsumer login = new(new LoginIdentity { UserName = "hostile", ApplicationName = "Floods", Position = "127.0.0.1/net", Role = role });
        await connection.SendAsync(room.AsMemory(0, login.EncodeRequest(room)), stop);
        await connection.FlushAsync(stop);
        await connection.ReadAsync(stop);
        return new AttackingPeer(this, connection, stream, reads, stop);
    }
}

/// <summary>One connection of an attacker.</summary>
/// <remarks>Received bytes are discarded below the connection object, which allows one caller, or not even read.</remarks>
internal sealed class AttackingPeer : IAsyncDisposable
{
    private const int BytesBeforeFlush = 32 * 1_024;

    private readonly AttackedHub _target;
    private readonly RsslConnection _connection;
    private readonly NetworkStream _stream;
    private readonly CancellationTokenSource _ending;
    private readonly Task _reading;
    private int _unflushed;

    public AttackingPeer(AttackedHub target, RsslConnection connection, NetworkStream stream, bool reads, CancellationToken stop)
    {
        (_target, _connection, _stream) = (target, connection, stream);
        _ending = CancellationTokenSource.CreateLinkedTokenSource(stop);
        _reading = reads ? ReadAsync() : Task.CompletedTask;
    }

    public async Task SendAsync(byte[] message, CancellationToken stop)
    {
        RsslChannel channel = _connection.Channel;
        while (!TryQueue(channel, message))
        {
            if (channel.State != ChannelState.Active || channel.OutputBuffersInUse == 0)
                throw new IOException(channel.Closed?.Text);
            await _connection.FlushAsync(stop);
        }

        Interlocked.Add(ref _target.Bytes, message.Length);
        if ((_unflushed += message.Length) < BytesBeforeFlush)
            return;
        _unflushed = 0;
        await _connection.FlushAsync(stop);
    }

    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        try
        {
            await _reading;
        }
        catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
        {
            // it has ended
        }

        await _connection.DisposeAsync();
        await _stream.DisposeAsync();
        _ending.Dispose();
    }

    private static bool TryQueue(RsslChannel channel, byte[] message)
    {
        if (!channel.TryBeginMessage(message.Length, out Span<byte> room))
            return false;
        message.CopyTo(room);
        channel.EndMessage(message.Length);
        return true;
    }

    private async Task ReadAsync()
    {
        byte[] room = new byte[64 * 1_024];
        while (await _stream.ReadAsync(room, _ending.Token) > 0)
        {
        }
    }
}
