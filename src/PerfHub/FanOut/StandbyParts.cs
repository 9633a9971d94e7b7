using System.Buffers.Binary;

namespace PerfHub.FanOut;

/// <summary>
/// The services for which a consumer has the hub stand by, because another server is the active one (warm standby), and the streams that a change
/// still has to reach. One owner thread.
/// </summary>
internal sealed class StandbyParts // wire/domains 5.11
{
    /// <summary>Means all services.</summary>
    public const ushort AllServices = 0;

    private const int MaxServices = 64; // further ones stay active
    private const int ServicesAt = 1 + sizeof(ushort);

    /// <summary>Maximum bytes of a record.</summary>
    public const int MaxBytes = ServicesAt + (MaxServices * sizeof(ushort));

    private readonly HashSet<ushort> _services = [];
    private bool _isOfLogin;
    private ushort _changed; // the service, or all
    private IEnumerator<int>? _toNotify;

    /// <summary>True when it stands by for anything.</summary>
    public bool IsAny => _isOfLogin || _services.Count > 0;

    /// <summary>True when it stands by for a service.</summary>
    public bool Includes(ushort serviceId) => _isOfLogin || _services.Contains(serviceId);

    /// <summary>Sets the part for all services, as the login states it.</summary>
    /// <returns>True when it has changed.</returns>
    public bool SetLogin(bool isStandby)
    {
        bool isChange = isStandby != _isOfLogin;
        _isOfLogin = isStandby;
        return isChange;
    }

    /// <summary>Sets the part for a service, as the directory request states it.</summary>
    /// <returns>True when the part of its items has changed.</returns>
    public bool Set(ushort serviceId, bool isStandby)
    {
        bool isChange = isStandby ? _services.Count < MaxServices && _services.Add(serviceId) : _services.Remove(serviceId);
        return isChange && !_isOfLogin;
    }

    /// <summary>True while a change still has to reach streams.</summary>
    public bool IsChanging => _toNotify is not null;

    /// <summary>The stream that it reaches next.</summary>
    public int NextStream => _toNotify!.Current;

    /// <summary>Begins a change of a part.</summary>
    /// <param name="serviceId">The service, or <see cref="AllServices"/>.</param>
    /// <param name="streams">The streams that it has to reach.</param>
    public void Begin(ushort serviceId, IEnumerable<int> streams)
    {
        (_changed, _toNotify) = (serviceId, streams.GetEnumerator());
        MoveNext();
    }

    /// <summary>Advances to the next stream; after the last one the change has ended.</summary>
    public void MoveNext()
    {
        if (!_toNotify!.MoveNext())
            End();
    }

    /// <summary>Ends the change: it reaches no further stream.</summary>
    public void End() => _toNotify = null;

    /// <summary>Writes the parts and the change as a record holds them.</summary>
    /// <param name="room">At least <see cref="MaxBytes"/>.</param>
    /// <returns>Bytes written.</returns>
    public int Write(Span<byte> room)
    {
        room[0] = (byte)(_isOfLogin ? 1 : 0);
        BinaryPrimitives.WriteUInt16LittleEndian(room[1..], _changed);
        int at = ServicesAt;
        foreach (ushort service in _services)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(room[at..], service);
            at += sizeof(ushort);
        }

        return at;
    }

    /// <summary>Reads whether a record changes the part for a service, and to which.</summary>
    public static bool IsChanged(ReadOnlySpan<byte> record, ushort serviceId, out bool isStandby)
    {
        isStandby = record[0] != 0;
        for (int at = ServicesAt; at < record.Length && !isStandby; at += sizeof(ushort))
            isStandby = BinaryPrimitives.ReadUInt16LittleEndian(record[at..]) == serviceId;
        return BinaryPrimitives.ReadUInt16LittleEndian(record[1..]) is var changed && (changed == AllServices || changed == serviceId);
    }
}
