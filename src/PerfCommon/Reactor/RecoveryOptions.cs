namespace PerfCommon.Reactor;

/// <summary>Options for the recovery of lost connections and items. Immutable; vary it with <c>with</c>.</summary>
public sealed record RecoveryOptions
{
    /// <summary>
    /// The wait before the first attempt to reconnect; it doubles after each attempt that fails, or ends before its login is accepted. The
    /// same wait applies to an item of a watchlist that is refused, or lost soon after its image. Above 0.
    /// </summary>
    public TimeSpan FirstRetry { get; init; } = TimeSpan.FromSeconds(0.5);

    /// <summary>The longest wait between two attempts; not below <see cref="FirstRetry"/>.</summary>
    public TimeSpan MaxRetry { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// True (the default) is needed to subscribe to items by name, and recovers items too: those that the provider closes and that may be
    /// recovered, and all of a service that went down and is up again. Each request has a separate stream. False gives each item of the
    /// session's list one permanent stream.
    /// </summary>
    public bool Watchlist { get; init; } = true;

    internal void Check()
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(FirstRetry, TimeSpan.Zero, nameof(FirstRetry));
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxRetry, FirstRetry, nameof(MaxRetry));
    }
}
