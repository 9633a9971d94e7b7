using System.Globalization;

namespace PerfTools.Scenarios.Users;

/// <summary>Estimates the memory that a ramp needs on a machine, including the kernel's for its connections.</summary>
internal static class RampMemory
{
    private const long HubBytesOfUser = 20 * 1_024;
    private const long UsersBytesOfUser = 10 * 1_024;
    private const long HubBytesOfTls = 45 * 1_024;
    private const long UsersBytesOfTls = 110 * 1_024;
    private const long BytesOfSubscription = 64; // on either side
    private const long BytesOfProcess = 64 * 1_024 * 1_024;
    private const double BytesPerMegabyte = 1_048_576;

    /// <summary>Estimates the bytes at the end of the ramp.</summary>
    /// <param name="variant">The ramp.</param>
    /// <param name="share">The part of it that runs on this machine.</param>
    public static long Estimate(UsersVariant variant, RampShare share)
    {
        long users = variant.Steps.Totals[^1], own = users * share.Users.Count / Math.Max(1, share.AllUsers);
        long OfUsers(long count, long bytes) => count * (bytes + (variant.Parameters.Subscriptions * BytesOfSubscription));
        bool isEncrypted = variant.Parameters.IsEncrypted;
        return (share.HasHub ? OfUsers(users, HubBytesOfUser + (isEncrypted ? HubBytesOfTls : 0)) : 0)
            + OfUsers(own, UsersBytesOfUser + (isEncrypted ? UsersBytesOfTls : 0))
            + (share.Roles.Count() * BytesOfProcess);
    }

    /// <summary>Creates the warning before the start; null when there is enough memory, or its size is unknown.</summary>
    /// <param name="neededBytes">The estimate.</param>
    /// <param name="freeBytes">The machine's available memory; null where unknown.</param>
    public static string? FindShortage(long neededBytes, long? freeBytes) => neededBytes > freeBytes
        ? string.Create(CultureInfo.InvariantCulture, $"Warning: the last step will need about {neededBytes / BytesPerMegabyte:N0} MB of memory here, "
        + $"{freeBytes / BytesPerMegabyte:N0} MB are free.") : null;
}
