namespace PerfCommon.Measurement;

/// <summary>One tick that is due now.</summary>
/// <param name="Index">Running number of the tick from the start of the schedule, from 0, skipped ticks counted.</param>
/// <param name="InSecond">Place of the tick in its second, 0 .. tick rate - 1; decides which ticks carry the remainder of a rate.</param>
/// <param name="DueNanos">When it should have started.</param>
/// <param name="LagNanos">How late it starts, 0 or more: the send lag.</param>
/// <param name="SkippedBefore">Ticks given up right before this one because more than one second had to be caught up;
/// what they should have sent is <see cref="RatePerTick.InTicks"/> of them, and counts as not sent.</param>
public readonly record struct TickInfo(long Index, int InSecond, long DueNanos, long LagNanos, long SkippedBefore);
