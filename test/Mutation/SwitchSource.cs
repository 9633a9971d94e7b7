namespace Mutation;

/// <summary>The type that is compiled into an assembly with mutants: it switches one of them on, and records which are reached.</summary>
internal static class SwitchSource
{
    /// <summary>The call that asks for a mutant.</summary>
    public const string Call = "global::MutantSwitch.On";

    /// <summary>Environment variable: the mutant that is on from the start, in programs that tests start too.</summary>
    public const string ActiveVariable = "MUTANT_ACTIVE";

    /// <summary>The type.</summary>
    /// <param name="count">Of mutants.</param>
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
