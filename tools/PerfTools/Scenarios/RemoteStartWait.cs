using System.Globalization;
using System.Text.Json;
using PerfTools.Processes;
using PerfTools.Results.Files;

namespace PerfTools.Scenarios;

/// <summary>Waits for a role that measures and is started on another machine: until it has arrived, then until it has left.</summary>
/// <remarks>The counts of the role to which it connects show it; it has left when nothing was sent or received for some intervals.</remarks>
internal sealed class RemoteStartWait
{
    /// <summary>The maximum wait.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    private const int QuietIntervals = 3;
    private const int MarginSeconds = 60;

    private static readonly string[] Signs = ["requestsReceived", "imagesSent", "updatesSent", "messagesSent", "messagesReceived"];

    private readonly Role _role;
    private readonly int _seconds;
    private int _quiet = -1; // before it has arrived

    private RemoteStartWait(Role role, int seconds) => (_role, _seconds) = (role, seconds);

    /// <summary>The role whose lines show it.</summary>
    public string Server => _role.ConnectsTo[0];

    private bool HasCome => _quiet >= 0;

    private bool HasGone => _quiet >= QuietIntervals;

    /// <summary>Creates the wait of a run; null where all measuring roles are started here, or are reached by their address.</summary>
    public static RemoteStartWait? Of(Scenario scenario, ScenarioOptions options) =>
        scenario.RolesOf(options).FirstOrDefault(role => role.ConnectsItself && options.External.ContainsKey(role.Name)
            && scenario.Figures.Measured.MeasuredBy.Contains(role.Name)) is { } role ? new(role, options.Seconds) : null;

    /// <summary>Creates the line that says what to start.</summary>
    public string Describe(HostAddress server) => string.Create(CultureInfo.InvariantCulture,
        $"Waiting for the {_role.Name}: connect it to port {server.Port} of this machine within {Limit.TotalMinutes:0} minutes. The run ends "
            + $"when it has left.");

    /// <summary>Receives the new lines of <see cref="Server"/>.</summary>
    public void Receive(IEnumerable<JsonElement> lines)
    {
        foreach (JsonView line in lines.Select(line => new JsonView(line)).Where(line => line.Part("overall.counts").Exists && !line.IsTrue("final")))
        {
            bool isActive = Signs.Any(sign => line.Count("overall.counts." + sign) > 0);
            if (isActive)
                _quiet = 0;
            else if (HasCome)
                _quiet++;
        }
    }

    /// <summary>Blocks until the role has arrived and left, or a failure.</summary>
    /// <param name="group">The roles that are started here.</param>
    /// <param name="look">Reads their new lines.</param>
    public void Wait(RoleGroup group, Action look)
    {
        bool hasCome = group.ServeUntil(() => After(look, () => HasCome), Limit,
            () => string.Create(CultureInfo.InvariantCulture, $"no {_role.Name} connected within {Limit.TotalMinutes:0} minutes"));
        if (hasCome)
            group.ServeUntil(() => After(look, () => HasGone || group.Roles.Any(HasFollowed)), TimeSpan.FromSeconds(_seconds + MarginSeconds));
    }

    private static bool HasFollowed(RoleProcess role) => role.HasExited && role.Command.Ending == RoleEnding.AfterOthers;

    private static bool After(Action look, Func<bool> ask)
    {
        look();
        return ask();
    }
}
