namespace PerfCommon.Transport;

/// <summary>Settings of a channel that may be changed while it is open: buffers, high-water mark, compression threshold. For its owner.</summary>
/// <remarks>They are local: nothing is sent to the peer.</remarks>
public sealed class ChannelSettings // wire/transport 0
{
    private readonly FrameWriter _writer;
    private readonly FrameCompressor? _compressor;
    private readonly BytePipe _pipe;

    internal ChannelSettings(FrameWriter writer, FrameCompressor? compressor, BytePipe pipe) =>
        (_writer, _compressor, _pipe) = (writer, compressor, pipe);

    /// <summary>Maximum number of output buffers: frames that wait for the socket. At least the guaranteed ones.</summary>
    /// <remarks>Frames that wait already are kept.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int OutputBufferLimit
    {
        get => _writer.MaxFrames;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _writer.MaxFrames = value;
        }
    }

    /// <summary>Output buffers that the channel has regardless of other channels (<see cref="ListenOptions.SharedOutputBuffers"/>).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int GuaranteedOutputBuffers
    {
        get => _writer.GuaranteedFrames;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _writer.GuaranteedFrames = value;
        }
    }

    /// <summary>Queued bytes above which a write flushes immediately; 0 flushes with every write.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int HighWaterMark
    {
        get => _writer.HighWaterMark;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _writer.HighWaterMark = value;
        }
    }

    /// <summary>Minimum bytes of a message, pack or fragment that is compressed; 0 where no compression was negotiated.</summary>
    /// <remarks>The minimum is the default of the type: zlib 30, lz4 300.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than the type's minimum.</exception>
    /// <exception cref="InvalidOperationException">Set without compression.</exception>
    public int CompressionThreshold // wire/transport 5.1
    {
        get => _compressor?.Threshold ?? 0;
        set
        {
            FrameCompressor agreed = _compressor ?? throw new InvalidOperationException("No compression was agreed.");
            ArgumentOutOfRangeException.ThrowIfLessThan(value, agreed.MinThreshold);
            agreed.Threshold = value;
        }
    }

    /// <summary>The system's send buffer (SO_SNDBUF) in bytes, as reported by the system; 0 without a socket.</summary>
    /// <remarks>The system may set another size; Linux doubles it.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    /// <exception cref="InvalidOperationException">Set without a socket.</exception>
    public int SendBufferBytes
    {
        get => _pipe.SystemBuffers?.Send ?? 0;
        set => SetSystemBuffers(value, null);
    }

    /// <summary>The system's receive buffer (SO_RCVBUF) in bytes, as reported by the system; 0 without a socket.</summary>
    /// <inheritdoc cref="SendBufferBytes" path="/remarks"/>
    /// <inheritdoc cref="SendBufferBytes" path="/exception"/>
    public int ReceiveBufferBytes
    {
        get => _pipe.SystemBuffers?.Receive ?? 0;
        set => SetSystemBuffers(null, value);
    }

    private void SetSystemBuffers(int? sendBytes, int? receiveBytes)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(sendBytes ?? receiveBytes!.Value, 1);
        if (_pipe.SystemBuffers is null)
            throw new InvalidOperationException("The channel has no socket of the system's.");
        _pipe.TrySetSystemBuffers(sendBytes, receiveBytes); // a connection whose peer is gone is closed anyway
    }
}
