namespace PerfCommon.Workers;

/// <summary>Takes the messages of a turn; a struct, so that its calls are inlined into the reading loop.</summary>
internal interface IMessageReceiver
{
    /// <summary>Takes one message.</summary>
    /// <param name="message">Valid until this returns.</param>
    /// <returns>False to leave the rest for later turns.</returns>
    bool Take(ReadOnlySpan<byte> message);
}
