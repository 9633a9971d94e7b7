using PerfCommon.Measurement;

namespace LatencyPerf.Protocol;

/// <summary>
/// A subscriber's side of the rendezvous, and its watch over the publisher's life. Knows no link; time is an argument.
/// </summary>
/// <param name="domainId">Its domain.</param>
/// <param name="cookie">Its cookie.</param>
/// <param name="announcement">The properties it announces.</param>
internal sealed class SubscriberRendezvous(int domainId, int cookie, Announcement announcement)
{
    private const long AnnounceNanos = 100 * Clock.NanosPerMilli;
    private const long SilenceNanos = 10 * Clock.NanosPerSecond;
    private const long LastCallNanos = 2 * Clock.NanosPerSecond;
    private const long ProbeNanos = Clock.NanosPerSecond;

    private readonly byte[] _datagram = new byte[TestIdentity.MaxControlBytes];
    private long _nextAnnounceNanos;
    private long _lastReceivedNanos;
    private long _probedNanos;

    /// <summary>Domain, cookie and, once it is known, session.</summary>
    public TestIdentity Identity { get; private set; } = new(domainId, cookie, 0);

    /// <summary>The publisher's terms of the test; null before they have arrived.</summary>
    public WelcomeTerms? Terms { get; private set; }

    /// <summary>The publisher's refusal; null while there is none.</summary>
    public Refusal? Refused { get; private set; }

    /// <summary>True from the first Start on.</summary>
    public bool HasStarted { get; private set; }

    /// <summary>True when the publisher has been silent for 10 s and did not answer for 2 s more.</summary>
    public bool IsAlone { get; private set; }

    /// <summary>The time at which <see cref="Tick"/> has work.</summary>
    public long NextWakeNanos => Math.Min(NextCallNanos, NextProbeNanos);

    private long NextCallNanos => Terms is null ? _nextAnnounceNanos : Math.Max(_lastReceivedNanos + SilenceNanos, _nextAnnounceNanos);

    private long NextProbeNanos => Terms is not null ? Math.Max(_lastReceivedNanos, _probedNanos) + ProbeNanos : long.MaxValue;

    /// <summary>Receives a datagram of the rendezvous.</summary>
    /// <returns>False when it was no part of it.</returns>
    public bool Receive(in DatagramHeader header, ReadOnlySpan<byte> body, long nowNanos, IDatagramOutput output)
    {
        if (header.DomainId != domainId || header.From != IDatagramOutput.Publisher)
            return false;
        if (header.Kind == DatagramKind.Welcome)
            return ReceiveWelcome(header, body, nowNanos, output);
        if (header.Kind == DatagramKind.Refuse)
            return ReceiveRefusal(header, body);
        if (header.Kind != DatagramKind.Start || Terms is null || header.Session != Identity.Session)
            return false;
        HasStarted = true;
        RecordLife(nowNanos);
        SendReady(output);
        return true;
    }

    /// <summary>Records that a datagram of the test has arrived from the publisher.</summary>
    public void RecordLife(long nowNanos) => _lastReceivedNanos = nowNanos;

    /// <summary>Does the work that is due: announces, at first or after a long silence; after a short one repeats that it is present or ready,
    /// because only a sender learns that the peer is gone.</summary>
    public void Tick(long nowNanos, IDatagramOutput output)
    {
        if (nowNanos >= NextProbeNanos)
        {
            _probedNanos = nowNanos;
            if (HasStarted)
                SendReady(output);
            else
                SendAnnouncement(output);
        }

        if (nowNanos < NextCallNanos)
            return;
        if (Terms is not null && nowNanos >= _lastReceivedNanos + SilenceNanos + LastCallNanos)
        {
            IsAlone = true;
            return;
        }

        _nextAnnounceNanos = nowNanos + AnnounceNanos;
        SendAnnouncement(output);
    }

    private void SendAnnouncement(IDatagramOutput output)
    {
        announcement.Write(_datagram.AsSpan(DatagramHeader.Bytes));
        int bytes = (Identity with { Session = 0 }).WriteHeader(_datagram, DatagramKind.Announce, Announcement.Bytes);
        output.Send(IDatagramOutput.Publisher, _datagram.AsSpan(0, bytes));
    }

    private void SendReady(IDatagramOutput output) =>
        output.Send(IDatagramOutput.Publisher, _datagram.AsSpan(0, Identity.WriteHeader(_datagram, DatagramKind.Ready, 0)));

    private bool ReceiveWelcome(in DatagramHeader header, ReadOnlySpan<byte> body, long nowNanos, IDatagramOutput output)
    {
        // a welcome names the cookie that it is for: all subscribers may share one path
        if (header.Sequence != (ulong)cookie || header.Session == 0 || WelcomeTerms.TryRead(body) is not { } terms)
            return false;
        if (Terms is not null && header.Session != Identity.Session)
            return false;
        if (Terms is null && terms.ReplyGroup is not null)
            output.UseGroup(terms.ReplyGroup);
        Identity = Identity with { Session = header.Session };
        Terms ??= terms;
        RecordLife(nowNanos);
        return true;
    }

    private bool ReceiveRefusal(in DatagramHeader header, ReadOnlySpan<byte> body)
    {
        bool isMine = header.Session == (Terms is null ? 0 : Identity.Session) || (Terms is null && header.Session != 0);
        if (!isMine || Refusal.TryRead(body) is not { } refusal)
            return false;
        Refused = refusal;
        return true;
    }
}
