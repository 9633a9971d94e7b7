namespace PerfCommon.Load;

/// <summary>Encodes the messages of a burst, one after the other; a struct, so that its calls are inlined into the burst's loop.</summary>
internal interface IMessageEncoder
{
    /// <summary>True while there is a stream to send on.</summary>
    bool HasTargets { get; }

    int MaxBytes { get; }

    /// <summary>Encodes the next message.</summary>
    /// <param name="room">At least <see cref="MaxBytes"/>.</param>
    /// <param name="stamp">Time stamp in the burst's unit; 0 for a message without one.</param>
    /// <returns>Its length.</returns>
    int Encode(Span<byte> room, long stamp);
}
