namespace PerfCommon.Sessions;

/// <summary>Why a consumer's connection cannot go on.</summary>
/// <param name="Kind">How far it had come.</param>
/// <param name="Text">A sentence fit to print.</param>
/// <param name="IsBroken">True when the connection broke, or the provider ended it first: counts of both sides cannot be compared.</param>
internal sealed record ConsumerFailure(ConsumerFailureKind Kind, string Text, bool IsBroken = false);
