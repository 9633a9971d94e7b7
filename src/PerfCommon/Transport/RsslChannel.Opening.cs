namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    /// <summary>Describes what a client that is not connected yet waits for, as a sentence. Any thread.</summary>
    internal string Awaited => _opening.Awaited;

    /// <summary>The version that a client would try next; see <see cref="ChannelOpening.NextVersion"/>.</summary>
    internal int? NextVersion => _opening.NextVersion;

    /// <summary>Starts to connect: name, addresses, versions, layers and handshake.</summary>
    internal void Connect()
    {
        _opening.Connect(_driver.Time.NowNanos);
        FollowOpening(_driver.Time.NowNanos);
    }

    /// <summary>Starts the layers and the handshake over a connected pipe.</summary>
    internal void Open(BytePipe bottom, long nowNanos)
    {
        _opening.Open(bottom, nowNanos);
        FollowOpening(nowNanos);
    }

    /// <summary>Makes the opening check its progress soon; any thread.</summary>
    internal void WakeForOpening() => _opening.Wake();

    private void AdvanceOpening(bool readable, bool writable, long nowNanos)
    {
        if (State != ChannelState.Connecting)
            return;
        _opening.Advance(readable, writable, nowNanos);
        FollowOpening(nowNanos);
    }

    private void FollowOpening(long nowNanos)
    {
        if (_opening.Failure is { } reason)
            EndWith(reason);
        else if (_opening.Info is { } info)
            Activate(info, nowNanos);
        else
            UpdateInterest();
    }

    private void Activate(ChannelInfo info, long nowNanos)
    {
        _pipe = _opening.Pipe!;
        _compressor = FrameCompressor.TryCreate(info);
        _reader = new FrameReader(info, _options, _driver.Pool, _compressor);
        _addedByHandshake = _pipe.AddedBytes;
        _writer = new FrameWriter(info, _options, _driver.Pool, _compressor, _pipe.RecordBytes, Accepted?.Shared);
        ReadOnlySpan<byte> rest = _opening.Rest;
        if (rest.Length > 0)
        {
            rest.CopyTo(_reader.Room());
            _reader.Advance(rest.Length);
        }

        _opening.Release();
        _info = info;
        State = ChannelState.Active;
        Accepted?.RecordOpened();
        _reading |= Reading.Receivable | Reading.Unread; // more may have arrived since the last receive
        _pings = new PingTimer(info, nowNanos);
        UpdateInterest();
        _driver.ListReady();
    }
}
