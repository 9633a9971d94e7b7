namespace PerfCommon.Domains;

/// <summary>Who a login request says is there.</summary>
public sealed record LoginIdentity
{
    /// <summary>Name of the user.</summary>
    public required string UserName { get; init; }

    /// <summary>Name of the program, such as <c>ConsPerf</c>.</summary>
    public required string ApplicationName { get; init; }

    /// <summary>Number of the program, as text.</summary>
    public string ApplicationId { get; init; } = "256";

    /// <summary>Where the user is: address and host, <see cref="LoginPosition"/>.</summary>
    public required string Position { get; init; }

    /// <summary>What the program is to the peer.</summary>
    public LoginRole Role { get; init; } = LoginRole.Consumer;

    /// <summary>True to let the provider measure round trips on the login stream.</summary>
    public bool RoundTripLatency { get; init; }

    /// <summary>The user and the program of this process, at this machine's address.</summary>
    public static LoginIdentity OfThisProcess() => new()
    {
        UserName = Environment.UserName,
        ApplicationName = AppDomain.CurrentDomain.FriendlyName,
        Position = LoginPosition.FindLocal(),
    };
}
