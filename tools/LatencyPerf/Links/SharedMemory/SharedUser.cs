namespace LatencyPerf.Links;

/// <summary>Who this user is, as a part of a file's name.</summary>
internal static class SharedUser
{
    /// <summary>Letters and digits of the user's name.</summary>
    public static string Id { get; } = string.Concat(Environment.UserName.Where(char.IsAsciiLetterOrDigit));
}
