using PerfCommon.Transport;

namespace PerfCommon.Benchmarks;

/// <summary>Creates a client's channel over memory, after a handshake with a server of ours.</summary>
internal static class MemoryChannels
{
    /// <summary>Messages in a burst, and in the input that a channel repeats.</summary>
    public const int Burst = 400;

    /// <summary>Messages in a pack.</summary>
    public const int Pack = 50;

    /// <summary>Bytes of a pack.</summary>
    public const int PackBytes = Pack * (Samples.MessageBytes + sizeof(ushort));

    /// <summary>Creates a channel whose writes are discarded.</summary>
    public static RsslChannel CreateWriting()
    {
        (RsslChannel channel, CirclePipe pipe) = Connect();
        pipe.Turn([]);
        return channel;
    }

    /// <summary>Creates a channel with endless messages.</summary>
    public static RsslChannel CreateReading(bool packed)
    {
        (RsslChannel writer, CirclePipe writerPipe) = Connect();
        if (packed)
            WritePacked(writer);
        else
            WriteUnpacked(writer);
        byte[] frames = writerPipe.TakeSent();
        (RsslChannel reader, CirclePipe readerPipe) = Connect();
        readerPipe.Turn(frames);
        reader.OnEvents(readable: true, writable: false, nowNanos: 0);
        return reader;
    }

    /// <summary>Writes one burst of frames with a message each.</summary>
    public static void WriteUnpacked(RsslChannel channel)
    {
        for (int i = 0; i < Burst; i++)
        {
            if (!channel.TryBeginMessage(Samples.MessageBytes, out Span<byte> room))
                throw new InvalidOperationException("a burst does not fit the output buffers");
            room[0] = 1;
            channel.EndMessage(Samples.MessageBytes);
        }

        channel.Flush();
    }

    /// <summary>Writes one burst in packs.</summary>
    public static void WritePacked(RsslChannel channel)
    {
        for (int left = Burst; left > 0 && channel.TryBeginPack(PackBytes); left -= Pack)
        {
            for (int i = 0; i < Pack && channel.TryBeginPackedMessage(Samples.MessageBytes, out Span<byte> room); i++)
            {
                room[0] = 1;
                channel.EndPackedMessage(Samples.MessageBytes);
            }

            channel.EndPack();
        }

        channel.Flush();
    }

    private static (RsslChannel Channel, CirclePipe Pipe) Connect()
    {
        ConnectOptions connect = new() { Host = "localhost", Port = 0, ProtocolType = RsslProtocol.TransportPerf, OutputBuffers = Burst };
        ListenOptions listen = new() { Port = 0, ProtocolType = RsslProtocol.TransportPerf };
        RsslChannel client = new(new AwaitedDriver(), connect);
        RsslChannel server = new(new AwaitedDriver(), listen);
        CirclePipe clientPipe = new();
        CirclePipe serverPipe = new();
        client.Open(clientPipe, nowNanos: 0);
        serverPipe.Feed(clientPipe.TakeSent());
        server.Open(serverPipe, nowNanos: 0);
        clientPipe.Feed(serverPipe.TakeSent());
        client.OnEvents(readable: true, writable: false, nowNanos: 0);
        clientPipe.TakeSent();
        return client.State == ChannelState.Active
            ? (client, clientPipe) : throw new InvalidOperationException($"no handshake: {client.Closed}");
    }
}
