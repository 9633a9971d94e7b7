using System.Globalization;

namespace PerfTools.Scenarios.Users;

/// <summary>The memory that a ramp will need where it runs, the kernel's for its connections included.</summary>
internal static class RampMemory
{
    private const long HubBytesOfUser = 20 * 1_024;
    private const long UsersBytesOfUser = 10 * 1_024;
    private const long BytesOfSubscription = 64; // on either side
    private const long BytesOfProcess = 64 * 1_024 * 1_024;
    private const double BytesPerMegabyte = 1_048_576;

    /// <summary>Bytes at the end of the ramp.</summary>
    /// <param name="variant">Which ramp.</param>
    /// <param name="share">The part of it that runs here.</param>
    public static long Estimate(UsersVariant variant, RampShare share)
    {
        long users = variant.Steps.Totals[^1], own = users * share.Users.Count / Math.Max(1, share.AllUsers);
        long OfUsers(long count, long bytes) => count * (bytes + (variant.Parameters.Subscriptions * BytesOfSubscription));
        return (share.HasHub ? OfUsers(users, HubBytesOfUser) : 0) + OfUsers(own, UsersBytesOfUser)
            + (share.Roles.Count() * BytesOfProcess);
    }

    /// <summary>What is to be told before it starts; null when there is memory enough, or nobody knows.</summary>
    /// <param name="neededBytes">What it will need.</param>
    /// <param name="freeBytes">What the machine has left; null where that is not known.</param>
    public static string? FindShortage(long neededBytes, long? freeBytes) => neededBytes > freeBytes
        ? string.Create(CultureInfo.InvariantCulture, $"Warning: the last step will need about {neededBytes / BytesPerMegabyte:N0} MB of memory here, {freeBytes / BytesPerMegabyte:N0} MB are free.") : null;
}
