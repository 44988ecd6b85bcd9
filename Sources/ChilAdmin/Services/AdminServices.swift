/// All that commands need of the world: PostgreSQL, printers, keys, the clock. The tests have their own.
protocol AdminServices: SchemaServices, TenantServices, ClientServices, QuotaServices, LimitServices,
    PrinterServices, TransferServices, UserServices, KeyServices, SessionServices, AuditServices, WebhookServices,
    PlanServices, ConsentServices, RetentionServices, ErasureServices, LedgerServices, DistributionServices,
    ImageEndpointServices, GeneratorServices, ScannerServices, ScanPushServices, ImageServices, MotionServices,
    EpsonPrinterServices, EpsonSimulatorServices, JobServices, DevelopmentServices, TransactionServices, SevereServices,
    DeclarativeServices, DoctorServices, ConsoleServices, ContextServices, StatusServices, SecretServices
{
    /// Ends what was opened. The last call.
    func close() async
}
