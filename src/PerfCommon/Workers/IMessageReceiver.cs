namespace PerfCommon.Workers;

/// <summary>Receives the messages of a turn; a struct, so that its calls are inlined into the reading loop.</summary>
internal interface IMessageReceiver
{
    /// <summary>Receives one message.</summary>
    /// <param name="message">The message, valid until this returns.</param>
    /// <returns>False to leave the rest for later turns.</returns>
    bool Receive(ReadOnlySpan<byte> message);
}
