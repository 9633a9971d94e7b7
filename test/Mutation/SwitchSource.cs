namespace Mutation;

/// <summary>Source of the type that is compiled into an assembly with mutants: it activates one of them, and records which are reached.</summary>
internal static class SwitchSource
{
    /// <summary>The call that tests whether a mutant is active.</summary>
    public const string Call = "global::MutantSwitch.On";

    /// <summary>Environment variable: the mutant that is active from the start, also in programs that tests start.</summary>
    public const string ActiveVariable = "MUTANT_ACTIVE";

    /// <summary>Returns the source of the type.</summary>
    /// <param name="count">Number of mutants.</param>
    public static string Create(int count) => $$"""
        internal static class MutantSwitch
        {
            public static int Active = int.TryParse(System.Environment.GetEnvironmentVariable("{{ActiveVariable}}"), out int active) ? active : 0;
            public static readonly byte[] Reached = new byte[{{count}} + 1];

            public static bool On(int id)
            {
                Reached[id] = 1;
                return Active == id;
            }
        }

        """;
}
