namespace PerfCommon.Sessions;

/// <summary>Reports that a consumer cannot continue, with the reason.</summary>
/// <param name="failure">The reason.</param>
/// <param name="innerException">The cause; null for none.</param>
public sealed class ConsumerException(ConsumerFailure failure, Exception? innerException = null)
    : Exception(failure?.Text, innerException)
{
    /// <summary>The reason.</summary>
    public ConsumerFailure Failure { get; } = failure ?? throw new ArgumentNullException(nameof(failure));
}
