namespace Tools.Tests.Replay;

/// <summary>A part of a recording that our program in one role cannot play yet; all the rest of the recording is played.</summary>
/// <param name="File">The recording.</param>
/// <param name="Role">The role, one of <see cref="Roles"/>.</param>
/// <param name="Matter">What it waits for.</param>
internal sealed record WaitingPart(string File, string Role, WaitingMatter Matter)
{
    /// <summary>Every part of our copies of the recordings that waits.</summary>
    public static IReadOnlyList<WaitingPart> All { get; } = [];

    public override string ToString() => $"{File} as {Role}: {Matter.Reason}";
}
